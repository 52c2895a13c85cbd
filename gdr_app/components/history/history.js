// An entry of the browser's history is what Back should return to. Streamlit makes one of every
// change of the address. Here a change within a page makes one only if the visitor has done
// something since the last entry, and if more than sliders have moved: what a page fills in by
// itself, and what it corrects, belongs to the entry that is there. After Back, a part of the page
// that was left may still have had something to tell, and Streamlit would draw that page again:
// the page that Back leads to is then asked for once more. A page that was cut off from its server
// is asked for anew, by its address.

import { holdStep } from "./anchor.js";

/** @import { Given } from "#canvases/mounts/mounting.js" */

/** @typedef {{ slides: string[], families: string[] }} Names what sliders write into the address */
/** @typedef {{ page: string, others: string[], link: string, arrival: string, number: number }} Correction */

const ACTS = ["pointerdown", "keydown", "click", "change"];
const MOST_RETURNS = 3; // for one press of Back or Forward

/** @param {Names} names */
function install({ slides, families }) {
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  /** @param {string} name */
  const slide = (name) => slides.includes(name) || families.some((family) => name.startsWith(family));
  let acted = false;
  let returns = 0; // how often a page may still be asked for that Back or Forward led to

  /** @param {string} search */
  function chosen(search) {
    const kept = [...new URLSearchParams(search)].filter(([name]) => !slide(name));
    return JSON.stringify(kept.sort());
  }

  history.pushState = (state, unused, url) => {
    const next = new URL(url ?? location.href, location.href);
    if (next.pathname !== location.pathname && returns > 0) {
      returns -= 1;
      setTimeout(() => window.dispatchEvent(new PopStateEvent("popstate", { state: history.state })));
      return;
    }
    const entry = next.pathname !== location.pathname || (acted && chosen(next.search) !== chosen(location.search));
    if (entry) acted = false;
    return (entry ? push : replace)(state, unused, url);
  };
  for (const act of ACTS) {
    window.addEventListener(act, ({ isTrusted }) => {
      acted ||= isTrusted;
      if (isTrusted) returns = 0;
    }, true);
  }
  window.addEventListener("popstate", ({ isTrusted }) => {
    acted = false;
    if (isTrusted) returns = MOST_RETURNS;
  });
}

/**
 * Streamlit changes the address to that of a new page at about the time when it draws the page.
 * @param {Correction} correction
 */
function isHere({ page, others }) {
  const last = decodeURIComponent(location.pathname.split("/").pop() ?? "").replaceAll("_", " ");
  return page === "Home" ? !others.includes(last) : last === page;
}

/** @param {Correction} correction */
function correct({ link }) {
  const wanted = new URLSearchParams(link);
  const said = new URLSearchParams(location.search);
  for (const [name, value] of said) if (name.startsWith("embed")) wanted.append(name, value); // Streamlit's own
  if (String(wanted) === String(said)) return;
  history.replaceState(history.state, "", location.pathname + (wanted.size ? `?${wanted}` : "") + location.hash);
}

/**
 * By arrival: a mount can be drawn again much later, and two of them in another order.
 * @type {Map<string, number>}
 */
const done = new Map();

const CONNECTION = "data-test-connection-state";

/**
 * When the connection breaks, Streamlit connects again by itself, perhaps to a server that knows
 * nothing of this page: parts of it would no longer answer. So the page is asked for anew, and the
 * address says which.
 * @param {() => void} askAnew
 */
function watchConnection(askAnew) {
  const app = document.querySelector(`[${CONNECTION}]`);
  let away = false;
  const watching = new MutationObserver(() => {
    const back = app?.getAttribute(CONNECTION) === "CONNECTED";
    if (back && away) askAnew();
    away = !back;
  });
  if (app) watching.observe(app, { attributeFilter: [CONNECTION] });
  return () => watching.disconnect();
}

/** @param {Given<Names | Correction>} given */
function mount({ data, setTriggerValue }) {
  if ("slides" in data) {
    if (!window.gdrHistory) {
      install(data);
      holdStep(location.hash.slice(1));
    }
    window.gdrHistory = true;
    return watchConnection(() => setTriggerValue("back", Date.now()));
  }
  const newest = () => done.get(data.arrival) ?? 0;
  if (data.number <= newest()) return;
  done.set(data.arrival, data.number);
  let left = 200;
  const attempt = () => {
    if (data.number < newest()) return;
    if (isHere(data)) correct(data);
    else if (--left) setTimeout(attempt, 10);
  };
  attempt();
}

export default mount;
