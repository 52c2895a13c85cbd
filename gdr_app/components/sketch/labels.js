// The label that GDR gives each node of a sketch, by the rule "overshoot".

/** @import { Overshoot } from "./overshoots.js" */
/** @import { Sketch } from "./sketch.js" */

/**
 * The class believed most; null where nothing is believed, or two classes equally.
 * @param {ArrayLike<number>} beliefs
 */
export function classOf(beliefs) {
  let best = 0;
  for (let c = 1; c < beliefs.length; c++) if (beliefs[c] > beliefs[best]) best = c;
  const most = beliefs[best];
  const alone = Array.from(beliefs).filter((belief) => belief === most).length === 1;
  return most > 0 && (alone || beliefs.length === 1) ? best : null;
}

/**
 * prior   the class each node believes at the start
 * now     its class by GDR: the class with the largest overshoot from t_min on; its prior where no
 *         class overshoots; training nodes keep theirs
 * @param {Sketch} sketch
 * @param {Overshoot[]} overshoots from t_min on
 */
export function labelsOf(sketch, overshoots) {
  const { classes } = sketch;
  const prior = sketch.nodes.map((node) => classOf(node.beliefs));
  const now = sketch.nodes.map((node, j) => {
    const heights = overshoots.slice(j * classes, (j + 1) * classes).map((one) => (one.above ? one.height : 0));
    return node.train ? prior[j] : classOf(heights) ?? prior[j];
  });
  return { prior, now };
}
