// A view's time on the page: what it listens to, waits for and draws ends with it.

export class Life {
  constructor() {
    this.controller = new AbortController();
    this.signal = this.controller.signal;
  }

  end() {
    this.controller.abort();
  }

  /**
   * Calls `act` whenever the size of an element changes.
   * @param {Element} stage
   * @param {() => void} act
   */
  onResize(stage, act) {
    const watch = new ResizeObserver(act);
    watch.observe(stage);
    this.signal.addEventListener("abort", () => watch.disconnect());
  }

  /**
   * Asks for a drawing: however often, it is drawn once in the next frame.
   * @param {() => void} act
   * @returns {() => void}
   */
  drawing(act) {
    let request = 0;
    this.signal.addEventListener("abort", () => cancelAnimationFrame(request));
    return () => {
      if (!request && !this.signal.aborted) request = requestAnimationFrame(() => { request = 0; act(); });
    };
  }

  /**
   * Calls `act` so many milliseconds after the last `start`.
   * @param {number} milliseconds
   * @param {() => void} act
   */
  rest(milliseconds, act) {
    const timer = { id: 0 };
    this.signal.addEventListener("abort", () => clearTimeout(timer.id));
    return {
      waiting: () => timer.id !== 0,
      start: () => {
        clearTimeout(timer.id);
        timer.id = window.setTimeout(() => { timer.id = 0; act(); }, milliseconds);
      },
    };
  }
}
