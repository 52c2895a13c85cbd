// Calls the code that came with another mount, as soon as it is there.

/** @import { Mount } from "#canvases/mounts/mounting.js" */

const NAME = "PART"; // replaced by the name of the part

/** @type {Mount} */
function mount(given) {
  const part = window.gdrParts?.[NAME];
  if (part) return part(given);
  /** @type {(() => void) | void} */
  let end;
  const begin = () => {
    const come = window.gdrParts?.[NAME];
    if (!come) return;
    window.removeEventListener("gdr-part", begin);
    end = come(given);
  };
  window.addEventListener("gdr-part", begin);
  return () => {
    window.removeEventListener("gdr-part", begin);
    end?.();
  };
}

export default mount;
