// Answers of the browser's code to questions of `tests/test_sketches.py`: one JSON object a line,
// question in, answer out.

import { createInterface } from "node:readline";

import { decode, encode } from "../../gdr_app/components/sketch/coding.js";
import { Dynamics } from "../../gdr_app/components/sketch/dynamics.js";
import { labelsOf } from "../../gdr_app/components/sketch/labels.js";
import { overshootsOf } from "../../gdr_app/components/sketch/overshoots.js";
import { parse, write } from "../../gdr_app/components/sketch/text.js";

const ANSWERS = {
  course({ code }) {
    const sketch = decode(code);
    const dynamics = new Dynamics(sketch);
    const overshoots = overshootsOf(dynamics, sketch.tMin);
    return {
      laplacian: [...dynamics.laplacian],
      p: [...dynamics.at(sketch.time)],
      curve: [...dynamics.curves([sketch.time])],
      kernel: [...dynamics.kernel(sketch.time)],
      limit: [...dynamics.limit],
      gap: dynamics.gap,
      overshoots: overshoots.map(({ above, never, height, time }) => ({ above, never, height, time })),
      labels: labelsOf(sketch, overshoots).now,
    };
  },
  decode: ({ code }) => ({ again: encode(decode(code)), text: write(decode(code)) }),
  parse: ({ text }) => ({ code: encode(parse(text)) }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { ask, ...question } = JSON.parse(line);
  let answer;
  try {
    answer = ANSWERS[ask](question);
  } catch (fault) {
    answer = { fault: fault.message };
  }
  console.log(JSON.stringify(answer));
}
