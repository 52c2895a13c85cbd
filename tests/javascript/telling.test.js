// When Python hears of a hand, by a clock that the test moves on.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Life } from "../../gdr_core/canvases/library/life.js";
import { Telling } from "../../gdr_core/canvases/library/telling.js";

/** A hand, and all that Python has heard of it. */
function hand() {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.window = globalThis;
  const heard = [];
  const life = new Life();
  return { heard, life, telling: new Telling(life, (value) => heard.push(value)), wait: (ms) => mock.timers.tick(ms) };
}

test("a single move is told at once, and only once", () => {
  const { heard, telling, wait } = hand();
  telling.move(7);
  assert.deepEqual(heard, [7]);
  assert.equal(telling.ahead, false);
  wait(5000);
  assert.deepEqual(heard, [7]);
  telling.move(8);
  assert.deepEqual(heard, [7, 8]);
});

test("of many moves the first is told at once and the last when the hand rests", () => {
  const { heard, telling, wait } = hand();
  for (let value = 1; value <= 30; value++) {
    telling.move(value);
    wait(33);
  }
  assert.deepEqual(heard, [1]);
  assert.equal(telling.ahead, true);
  wait(1000);
  assert.deepEqual(heard, [1, 30]);
  assert.equal(telling.ahead, false);
});

test("a hand that drags is heard when it rests or lets go, without a second word", () => {
  const { heard, telling, wait } = hand();
  telling.move(1, true);
  telling.move(2, true);
  assert.deepEqual(heard, []);
  wait(1000);
  assert.deepEqual(heard, [2]);
  telling.move(3, true);
  telling.settle();
  assert.deepEqual(heard, [2, 3]);
  telling.settle();
  wait(1000);
  assert.deepEqual(heard, [2, 3]);
});

test("an answer to an earlier message is old; any other is not", () => {
  const { telling, wait } = hand();
  for (const value of [1, 2, 3]) {
    telling.move(value);
    wait(1000);
  }
  assert.deepEqual([1, 2, 3, 2].map((value) => telling.isOld(value)), [true, true, false, false]);
  telling.move(4);
  assert.equal(telling.isOld(99), false);
});

test("what has left the page tells nothing", () => {
  const { heard, life, telling, wait } = hand();
  telling.move(1, true);
  life.end();
  wait(1000);
  assert.deepEqual(heard, []);
});
