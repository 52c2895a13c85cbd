// The first animation of the page plays by itself, for who does not want less motion.

const EVERY = 500; // ms between two looks
const LOOKS = 60;
const BUTTONS = "button.play, .st-key-replay button"; // of a canvas, and of a run's replay

/**
 * The first play button, inside of the components as well.
 * @param {ParentNode} root
 * @returns {HTMLButtonElement | null}
 */
function playButton(root) {
  const here = root.querySelector(BUTTONS);
  if (here instanceof HTMLButtonElement) return here;
  for (const one of root.querySelectorAll("*")) {
    const found = one.shadowRoot ? playButton(one.shadowRoot) : null;
    if (found) return found;
  }
  return null;
}

/** @param {AbortSignal} signal */
export function autoplay(signal) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  let left = LOOKS;
  const look = () => {
    if (signal.aborted || !left--) return;
    const main = document.querySelector('[data-testid="stMain"]');
    const button = main ? playButton(main) : null;
    if (button) button.click();
    else setTimeout(look, EVERY);
  };
  look();
}
