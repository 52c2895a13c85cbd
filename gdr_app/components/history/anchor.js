// A link may lead to a heading of a long page. Streamlit goes there once, when the heading appears;
// what is drawn above it afterwards would push it out of sight again. So the heading is held where
// it is until the visitor does something.

const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"];
const LONGEST = 30_000; // ms; by then a page has come to rest

/**
 * Keep the heading with this name at the top while the page grows.
 * @param {string} name  empty where the address names none
 */
export function holdStep(name) {
  const page = document.querySelector("[data-testid=stMainBlockContainer]");
  if (!name || !page) return;
  const growing = new ResizeObserver(() => document.getElementById(name)?.scrollIntoView(true));
  const release = () => {
    growing.disconnect();
    for (const act of ACTS) window.removeEventListener(act, release, true);
  };
  growing.observe(page);
  for (const act of ACTS) window.addEventListener(act, release, { capture: true, passive: true });
  setTimeout(release, LONGEST);
}
