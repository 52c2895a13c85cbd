// The visitor's key lives in this browser's storage, so that a reload or another tab is still the
// same visitor. The page offers a fresh key; the browser keeps it, or answers with the one it has.

/** @import { Given } from "#canvases/mounts/mounting.js" */

const NAME = "gdr-explorer-owner";

/** @param {Given<{ key: string }>} given */
function mount({ data, setStateValue }) {
  try {
    const kept = localStorage.getItem(NAME);
    if (!kept) localStorage.setItem(NAME, data.key);
    else if (kept !== data.key) setStateValue("kept", kept);
  } catch {
    // No storage in this browser: the visitor is the same as long as the tab is not reloaded.
  }
}

export default mount;
