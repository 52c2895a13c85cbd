// The scenes of a page are its headings, one after the other; after the last comes the next page.

const HEADINGS = '[data-testid="stMain"] :is(h1, h2)';
const PAGES = '[data-testid="stSidebar"] [data-testid="stPageLink-NavLink"]';

/** Where the presenter stands: on which page, at which of its scenes. */
const stand = { page: "", at: 0 };

/** @returns {HTMLElement[]} */
function scenes() {
  return [...document.querySelectorAll(HEADINGS)].filter((one) => one instanceof HTMLElement && one.offsetParent !== null).map((one) => /** @type {HTMLElement} */ (one));
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
  const next = stand.at + by;
  if (next < 0 || next >= all.length) {
    turnPage(by);
    return;
  }
  stand.at = next;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  all[next].scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
}
