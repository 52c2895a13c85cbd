// Numbers as people read them, and what has arrived.

import assert from "node:assert/strict";
import { test } from "node:test";

import { decode } from "../../gdr_core/canvases/mounts/bytes.js";
import { clamped, inWords, niceStep, power, shortened } from "../../gdr_core/canvases/library/numbers.js";
import { Store } from "../../gdr_core/canvases/mounts/store.js";
import { labelsOf, matchesOf } from "../../gdr_app/components/node_search/matches.js";

test("numbers keep three digits", () => {
  for (const value of [0.00123456, 0.5, 1, 12.345, 999.4, 1234.5, -7.891]) {
    assert.ok(Math.abs(Number(inWords(value)) - value) <= 0.005 * Math.abs(value));
    assert.ok(inWords(value).replace(/e.*/, "").replace(/^-?0\.0*|[-.]/g, "").length <= 3);
  }
  assert.equal(inWords(0), "0");
});

test("powers of ten are written out or raised", () => {
  assert.deepEqual([-4, -3, 0, 2, 3, 4, 12].map(power), ["10⁻⁴", "0.001", "1", "100", "1000", "10⁴", "10¹²"]);
});

test("a step is the smallest round one that gives at most so many parts", () => {
  for (const span of [0.003, 0.7, 1, 42, 9999])
    for (const count of [3, 5, 8]) {
      const step = niceStep(span, count);
      const rounds = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5].flatMap((exponent) => [1, 2, 5].map((digit) => digit * 10 ** exponent));
      assert.ok(Math.abs(step - Math.min(...rounds.filter((round) => round >= span / count - 1e-12))) < 1e-9 * step);
    }
});

test("names are cut and values kept inside", () => {
  assert.equal(shortened("abcdef", 6), "abcdef");
  assert.equal(shortened("abcdefg", 6), "abcde…");
  assert.deepEqual([clamped(-1, 0, 2), clamped(1, 0, 2), clamped(3, 0, 2)], [0, 1, 2]);
});

test("arrays come out of base64 as they went in", () => {
  const codes = Uint16Array.of(0, 1, 255, 256, 65535);
  assert.deepEqual(decode(Buffer.from(codes.buffer).toString("base64"), Uint16Array), codes);
});

test("whoever asks too early is called once, and the oldest is forgotten", () => {
  const store = new Store(2);
  const heard = [];
  store.when("a", (item) => heard.push(item.id));
  for (const id of ["a", "b", "a", "c"]) store.keep({ id });
  assert.deepEqual(heard, ["a"]);
  assert.deepEqual(["a", "b", "c"].map((id) => store.has(id)), [true, false, true]);
  store.when("c", (item) => heard.push(item.id));
  assert.deepEqual(heard, ["a", "c"]);
});

test("names that begin with the letters come first, the shortest of them before the rest", () => {
  const labels = labelsOf({ names: ["Anna", "Bo", "An", "Susanne", "An"] });
  assert.deepEqual(labels, ["Anna", "Bo", "An (node 2)", "Susanne", "An (node 4)"]);
  assert.deepEqual(matchesOf(labels, "AN", 9), [0, 2, 4, 3]);
  assert.deepEqual(matchesOf(labels, "an", 3), [0, 2, 4]);
  assert.deepEqual(matchesOf(labels, "x", 3), []);
});
