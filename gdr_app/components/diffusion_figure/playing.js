// Play, pause, step and drag through time.

import { element } from "#canvases/library/elements.js";
import { inWords } from "#canvases/library/numbers.js";
import { Player } from "#canvases/library/player.js";
import { FRAMES } from "./model.js";

/** @import { Model } from "./model.js" */

const SPEEDS = [0.25, 0.5, 1, 2, 4];
const STEPS_PER_SECOND = 60;

/**
 * @param {Model} model
 * @param {{ controls: string[], stop: number | null, reached: () => void }} options
 *   reached: called when somebody has moved the time, and when playing has come to an end
 */
export function playerOf(model, { controls, stop, reached }) {
  const player = new Player({
    rate: STEPS_PER_SECOND,
    speeds: controls.includes("speed") ? SPEEDS : undefined,
    label: "Time",
    rewind: true,
    show: (index, byHand) => {
      const time = model.timeAt(index / FRAMES);
      const stopped = stop !== null && player.playing && time >= stop;
      model.setTime(stopped ? stop : time);
      if (stopped) player.pause();
      if (byHand) reached();
    },
  });
  const pause = player.pause.bind(player);
  player.pause = () => {
    const played = player.playing;
    pause();
    if (played) reached();
  };
  player.setLength(FRAMES + 1);
  if (controls.includes("axis")) player.box.append(...axisButtons(model));
  return player;
}

/**
 * Let a player say what a model shows.
 * @param {Player} player
 * @param {Model} model
 */
export function tellPlayer(player, model) {
  player.put(model.frame);
  const { gap } = model.dynamics;
  player.say(`t = ${inWords(model.sketch.time)}`);
  player.words.title = gap > 0 ? `${inWords(model.sketch.time * gap)} relaxation times` : "";
}

/**
 * Two switches for the axes of the chart.
 * @param {Model} model
 */
function axisButtons(model) {
  const log = element("button", { type: "button", className: "axis", textContent: "log t", title: "Logarithmic axis of time" });
  const near = element("button", { type: "button", className: "axis", textContent: "near π", title: "Show what happens near π larger" });
  const tell = () => {
    log.setAttribute("aria-pressed", String(model.log));
    near.setAttribute("aria-pressed", String(model.isNear));
  };
  log.onclick = () => model.setLog(!model.log);
  near.onclick = () => model.setNear(!model.isNear);
  model.listen((change) => { if (change === "graph") tell(); });
  tell();
  return [log, near];
}
