// A film in WebM, recorded from a canvas in real time: what a second shows takes a second.

import { clamped } from "../numbers.js";
import { sheetFor } from "./pictures.js";

/** @import { Film, Picture } from "./pictures.js" */

const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
const RATE = 30; // frames a second
const LARGEST = 1920; // pixels of a film's longer side
const REST = 0.7; // seconds for which the last frame stands
const BITS = 4e6; // a second

/** The kind of film that this browser records, or "" where it records none. */
export function filmKind() {
  const able = typeof MediaRecorder === "function" && typeof HTMLCanvasElement.prototype.captureStream === "function";
  return (able && KINDS.find((kind) => MediaRecorder.isTypeSupported(kind))) || "";
}

/**
 * The frame that is seen at a moment.
 * @param {number} seconds since the film began
 * @param {Pick<Film, "frames" | "seconds">} film
 */
export function frameAt(seconds, film) {
  return clamped(Math.floor((seconds / film.seconds) * film.frames), 0, film.frames - 1);
}

/**
 * @param {Picture} picture
 * @param {Film} film
 * @param {{ signal: AbortSignal, told: (seconds: number) => void }} hands told: how far it is
 * @returns {Promise<Blob | null>} nothing where it was broken off
 */
export async function record(picture, film, { signal, told }) {
  const ratio = Math.min(picture.ratio ?? 1.5, LARGEST / Math.max(picture.width, picture.height));
  const { canvas, pen, clear } = sheetFor({ ...picture, height: picture.height + (film.room ?? 0) }, ratio);
  const recorder = new MediaRecorder(canvas.captureStream(RATE), { mimeType: filmKind(), videoBitsPerSecond: BITS });
  /** @type {Blob[]} */
  const parts = [];
  recorder.ondataavailable = (event) => { parts.push(event.data); };
  /** @param {number} frame */
  const show = async (frame) => {
    await film.ready?.(frame);
    clear();
    film.paint(pen, frame);
  };
  /** @type {Promise<Blob | null>} */
  const recorded = new Promise((done, failed) => {
    recorder.onstop = () => done(signal.aborted ? null : new Blob(parts, { type: "video/webm" }));
    recorder.onerror = () => failed(new Error("the browser stopped recording"));
  });
  signal.addEventListener("abort", () => { if (recorder.state !== "inactive") recorder.stop(); });
  try {
    await show(0);
    if (signal.aborted) return null;
    recorder.start();
    const began = performance.now();
    for (let seconds = 0; seconds < film.seconds + REST && !signal.aborted; ) {
      await nextFrame();
      seconds = (performance.now() - began) / 1000;
      await show(frameAt(seconds, film));
      told(seconds);
    }
    if (recorder.state !== "inactive") recorder.stop();
    return await recorded;
  } finally {
    film.end?.();
  }
}

/** @returns {Promise<number>} when the browser draws again */
function nextFrame() {
  return new Promise((done) => requestAnimationFrame(done));
}
