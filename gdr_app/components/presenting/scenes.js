// The scenes of a page are its headings and its tabs, one after the other as they stand on it; after
// the last comes the next page.

const TAB = '[role="tab"], [data-testid="stButtonGroup"] [role="radio"]';
const SCENES = `[data-testid="stMain"] :is(h1, h2, ${TAB})`;
const PAGES = '[data-testid="stSidebar"] [data-testid="stPageLink-NavLink"]';

/** Where the presenter stands: on which page, at which of its scenes. */
const stand = { page: "", at: 0 };

/** @returns {HTMLElement[]} */
function scenes() {
  return [...document.querySelectorAll(SCENES)].filter((one) => one instanceof HTMLElement && one.offsetParent !== null).map((one) => /** @type {HTMLElement} */ (one));
}

/**
 * A tab that is open already is no scene of its own.
 * @param {HTMLElement} one
 */
function isOpen(one) {
  return one.getAttribute("aria-checked") === "true" || one.getAttribute("aria-selected") === "true";
}

/** @param {1 | -1} by */
function turnPage(by) {
  const links = [...document.querySelectorAll(PAGES)].map((one) => /** @type {HTMLAnchorElement} */ (one));
  // The link to Home is empty, which is also the address of this page: the last of two is meant.
  const here = links.map((one) => new URL(one.href).pathname).lastIndexOf(location.pathname);
  links[here + by]?.click();
}

/**
 * Show the next scene, or the one before.
 * @param {1 | -1} by
 */
export function step(by) {
  const all = scenes();
  if (stand.page !== location.pathname) Object.assign(stand, { page: location.pathname, at: 0 });
  let next = stand.at + by;
  while (all[next] && isOpen(all[next])) next += by;
  if (next < 0 || next >= all.length) {
    turnPage(by);
    return;
  }
  stand.at = next;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (all[next].matches(TAB)) all[next].click();
  all[next].scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
}
