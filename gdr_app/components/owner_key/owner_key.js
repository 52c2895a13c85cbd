// The visitor's key lives in this browser's storage, so that a reload or another tab is still the
// same visitor. A cookie brings it to the server when a page is opened; where it did not, the page
// offers a fresh key, and the browser keeps it or answers with the one it has.

/** @import { Given } from "#canvases/mounts/mounting.js" */

const A_YEAR = 365 * 24 * 3600; // seconds

/** @param {Given<{ key: string, name: string }>} given */
function mount({ data: { key, name }, setStateValue }) {
  try {
    const kept = localStorage.getItem(name) ?? key;
    localStorage.setItem(name, kept);
    const safe = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `${name}=${kept}; path=/; max-age=${A_YEAR}; samesite=strict${safe}`;
    if (kept !== key) setStateValue("kept", kept);
  } catch {
    // No storage in this browser: the visitor is the same as long as the tab is not reloaded.
  }
}

export default mount;
