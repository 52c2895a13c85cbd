// Runs in the page before anything else: notes when the visitor acts and when the page changes.
//
// A change is a mutation of the page's content or a picture drawn on a canvas. Its time is taken
// when the frame that shows it has been handed to the screen, so it includes layout and paint.
(() => {
  const probe = { acted: 0, changed: 0, changes: 0, reached: 0, until: null, frames: [], counting: false,
    connected: 0, data: 0, titled: 0 };
  window.gdrProbe = probe;
  const roots = [];

  const shown = new MessageChannel(); // a message posted from a frame arrives after its paint
  shown.port1.onmessage = () => {
    probe.changed = performance.now();
    if (!probe.titled && probe.title()) probe.titled = probe.changed;
    if (!probe.reached && probe.until?.()) probe.reached = probe.changed;
  };
  let waiting = false;
  const note = () => {
    probe.changes += 1;
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; shown.port2.postMessage(0); });
  };

  // The mark that a script is running is not content, and neither is its fading. Tables keep a
  // copy of their text inside their canvas for screen readers, which follows a moment later; what
  // is inside a canvas is never painted, and a picture that is drawn on one is noted below.
  const ASIDE = "[data-testid=stHeader], [data-testid=stStatusWidget], [data-testid=stToolbar], canvas *";
  const unseen = (record, element) => record.type === "childList" && element.localName === "canvas";
  const counts = (record) => {
    const element = record.target.nodeType === 1 ? record.target : record.target.parentElement;
    if (!element || element.closest?.(ASIDE) || element.matches?.("html, head, head *, body")) return false;
    if (unseen(record, element)) return false;
    return record.type !== "attributes" || !["data-stale", "data-test-script-state"].includes(record.attributeName);
  };
  const watch = (root) => {
    roots.push(root);
    const observer = new MutationObserver((records) => { if (records.some(counts)) note(); });
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  };
  watch(document);
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (...given) {
    const root = attachShadow.apply(this, given);
    watch(root);
    return root;
  };
  for (const name of ["putImageData", "stroke", "fill", "fillText"]) {
    const draw = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...given) {
      if (this.canvas.isConnected) note();
      return draw.apply(this, given);
    };
  }

  window.WebSocket = class extends window.WebSocket {
    constructor(...given) {
      super(...given);
      probe.connected ||= performance.now();
      this.addEventListener("message", () => { probe.data ||= performance.now(); });
    }
  };

  for (const name of ["keydown", "pointerdown", "pointerup"]) {
    window.addEventListener(name, (event) => { probe.acted = event.timeStamp; }, { capture: true });
  }

  // Components live in shadow roots, which document.querySelector does not see into.
  probe.find = (selector) => {
    for (const root of roots) {
      const found = root.querySelector(selector);
      if (found?.isConnected) return found;
    }
    return null;
  };
  probe.card = () => {
    for (const line of document.querySelectorAll("[data-testid=stMain] p")) if (line.textContent.startsWith("Node ")) return line.textContent;
    return "";
  };
  probe.title = () => document.querySelector("[data-testid=stMain] h1")?.textContent ?? "";
  probe.epoch = () => {
    for (const line of document.querySelectorAll("[data-testid=stMain] p")) {
      const epoch = line.textContent.match(/epoch ([\d,]+) of/)?.[1];
      if (epoch) return epoch === "0" ? "" : epoch;
    }
    return "";
  };
  // In a notice only: the explanations of the page use the same words.
  probe.verdict = () => {
    for (const notice of document.querySelectorAll("[data-testid=stMain] [data-testid=stAlert]")) {
      const verdict = notice.textContent.match(/The same number|Another number/)?.[0];
      if (verdict) return verdict;
    }
    return "";
  };
  probe.awaitChange = (read) => {
    const before = probe[read]();
    probe.until = () => ![before, ""].includes(probe[read]());
  };
  probe.until = () => probe.find(".stage[data-ready], .diffusion .stage circle, .diffusion .stage path") && (probe.find(".track[data-value]") || document.querySelector("[data-testid=stMetric], h2"));
  probe.reset = () => { Object.assign(probe, { acted: 0, changed: 0, changes: 0, reached: 0, until: null }); };
  probe.quiet = (milliseconds) => {
    const running = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "notRunning";
    return !running && probe.changed > probe.acted && performance.now() - probe.changed > milliseconds;
  };
  probe.countFrames = () => {
    probe.frames = [];
    probe.counting = true;
    const tick = (now) => {
      probe.frames.push(now);
      if (probe.counting) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  };
  probe.stopFrames = () => { probe.counting = false; return probe.frames; };
})();
