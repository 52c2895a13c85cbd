// Drawings as SVG: the same shapes at the same places, in XML that is well-formed whatever is written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { frameAt } from "../../gdr_core/canvases/library/saving/film.js";
import { rowsOf } from "../../gdr_core/canvases/library/saving/legend.js";
import { FAMILY, escaped, fileOf, fontOf } from "../../gdr_core/canvases/library/saving/svg.js";
import { VectorPen } from "../../gdr_core/canvases/library/saving/vector.js";
import { rule, write } from "../../gdr_core/canvases/library/canvas.js";

const pen = (decimals) => new VectorPen({ measure: (text) => 6 * text.length, decimals });
const count = (text, part) => text.split(part).length - 1;

test("a circle that is filled and then stroked is one circle", () => {
  const drawing = pen();
  drawing.fillStyle = "#0072b2";
  drawing.strokeStyle = "#ffffff";
  for (const x of [10, 20, 30]) {
    drawing.beginPath();
    drawing.arc(x, 5, 2.5, 0, 2 * Math.PI);
    drawing.fill();
    drawing.stroke();
  }
  const text = drawing.elements();
  assert.equal(count(text, "<circle"), 3);
  assert.equal(count(text, "<g"), 1, "one style is said once");
  assert.match(text, /<g fill="#0072b2" stroke="#ffffff" stroke-width="1">/);
  assert.match(text, /<circle cx="20" cy="5" r="2.5"\/>/);
});

test("a path is one path, rounded to the decimals that are asked for", () => {
  const drawing = pen(1);
  drawing.beginPath();
  for (let i = 0; i < 5; i++) {
    drawing.moveTo(i / 3, 0);
    drawing.lineTo(1, i / 7);
  }
  drawing.stroke();
  assert.match(drawing.elements(), /d="M0 0L1 0M0.3 0L1 0.1M0.7 0L1 0.3M1 0L1 0.4M1.3 0L1 0.6"/);
});

test("places are moved, turned and scaled as on a canvas, and restored", () => {
  const drawing = pen();
  drawing.save();
  drawing.translate(100, 50);
  drawing.rotate(Math.PI / 2);
  drawing.scale(2, 2);
  drawing.beginPath();
  drawing.moveTo(3, 0);
  drawing.lineTo(0, 4);
  drawing.lineWidth = 1.5;
  drawing.stroke();
  drawing.restore();
  rule(drawing, [1, 2], [3, 4]);
  const text = drawing.elements();
  assert.match(text, /d="M100 56L92 50"/);
  assert.match(text, /stroke-width="3"/);
  assert.match(text, /stroke-width="1"><path d="M1 2L3 4"/);
});

test("arcs end where sine and cosine say", () => {
  const drawing = pen();
  drawing.beginPath();
  drawing.moveTo(0, 0);
  drawing.arc(0, 0, 10, 0, 1.5 * Math.PI);
  drawing.fill();
  assert.match(drawing.elements(), /d="M0 0L10 0A10 10 0 1 1 -?0 -10"/);
  const round = pen();
  round.beginPath();
  round.roundRect(0, 0, 20, 10, 3);
  round.fill();
  assert.equal(count(round.elements(), "A3 3 0 0 1"), 4);
});

test("a text with a rim is one text, escaped, on the line that its baseline says", () => {
  const drawing = pen();
  drawing.font = "600 12px \"Source Sans\", sans-serif";
  drawing.textBaseline = "middle";
  drawing.textAlign = "right";
  write(drawing, "a < b & \"c\" ]]> \u0000", 40, 20, { ink: "#111111", paper: "#eeeeee", accent: "", font: "" });
  const text = drawing.elements();
  assert.equal(count(text, "<text"), 1);
  assert.match(text, />a &lt; b &amp; &quot;c&quot; \]\]&gt; \uFFFD<\/text>/);
  assert.match(text, /paint-order="stroke"/);
  assert.match(text, /text-anchor="end"/);
  assert.ok(text.includes(`font-family="${FAMILY}"`), "the page's own font is not where the drawing goes");
  const line = Number(/ y="([\d.]+)"/.exec(text)[1]);
  assert.ok(line > 22 && line < 26, `${line}`);
});

test("what is cut off is cut off until the state is restored", () => {
  const drawing = pen();
  drawing.save();
  drawing.beginPath();
  drawing.rect(0, 0, 10, 10);
  drawing.clip();
  rule(drawing, [0, 0], [50, 50]);
  drawing.restore();
  rule(drawing, [1, 1], [2, 2]);
  const text = drawing.elements();
  assert.match(text, /<clipPath id="cut1">.*<g clip-path="url\(#cut1\)">\n.*M0 0L50 50.*\n<\/g>\n.*M1 1L2 2/s);
  assert.equal(count(text, "<g"), count(text, "</g>"));
});

test("fonts of CSS are taken apart", () => {
  assert.deepEqual(fontOf("italic 14px Inter"), { size: 14, "font-family": FAMILY, "font-style": "italic" });
  assert.deepEqual(fontOf("600 11.5px A, b"), { size: 11.5, "font-family": FAMILY, "font-weight": "600" });
  assert.equal(fontOf("nonsense").size, 10);
});

test("a file has its size, its name and nothing from elsewhere", () => {
  const file = fileOf({ width: 300.456, height: 200, title: "<b>" }, "<g/>");
  assert.match(file, /width="300.46" height="200" viewBox="0 0 300.46 200"/);
  assert.match(file, /<title>&lt;b&gt;<\/title>/);
  assert.equal(count(file, "http"), 1, "its namespace alone");
  assert.equal(escaped("\u{1F600} ok \uD800"), "\u{1F600} ok \uFFFD");
});

test("a legend is laid in rows that end before the picture does", () => {
  for (const width of [120, 300, 900]) {
    const lengths = [80, 40, 100, 60, 30, 90];
    const { places, rows } = rowsOf(lengths, width);
    places.forEach(({ x, row }, i) => {
      assert.ok(x + lengths[i] <= width || x === places[0].x);
      if (i && row === places[i - 1].row) assert.ok(x >= places[i - 1].x + lengths[i - 1]);
    });
    assert.equal(rows, places[5].row + 1);
  }
  assert.equal(rowsOf([], 100).rows, 0);
});

test("a film goes from its first frame to its last, each for as long as the others", () => {
  const film = { frames: 40, seconds: 8 };
  const seen = Array.from({ length: 800 }, (_, i) => frameAt(i / 100, film));
  assert.equal(seen[0], 0);
  assert.equal(frameAt(8.5, film), 39);
  for (let frame = 0; frame < 40; frame++) assert.equal(seen.filter((one) => one === frame).length, 20);
});
