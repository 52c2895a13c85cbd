// Calls the code that came with another mount, as soon as it is there.

export default function (given) {
  if (window.gdrParts?.PART) return window.gdrParts.PART(given);
  let end = () => {};
  const begin = () => {
    if (!window.gdrParts?.PART) return;
    window.removeEventListener("gdr-part", begin);
    end = window.gdrParts.PART(given);
  };
  window.addEventListener("gdr-part", begin);
  return () => {
    window.removeEventListener("gdr-part", begin);
    end();
  };
}
