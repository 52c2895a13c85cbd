// Something that moves by itself, frame by frame, until it is at its end or told to stop.

export class Frames {
  /** @param {(playing: boolean) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.playing = false;
    this.request = 0;
  }

  /** @param {(now: number) => boolean} draw  one frame; whether it was the last one */
  start(draw) {
    this.playing = true;
    this.onChange(true);
    /** @param {number} now */
    const tick = (now) => {
      if (!this.playing) return;
      if (draw(now)) this.stop();
      else this.request = requestAnimationFrame(tick);
    };
    this.request = requestAnimationFrame(tick);
  }

  stop() {
    cancelAnimationFrame(this.request);
    if (!this.playing) return;
    this.playing = false;
    this.onChange(false);
  }
}
