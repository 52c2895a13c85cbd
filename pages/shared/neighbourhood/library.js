// Runs the bytes of vis-network once for the page; `window.vis` is then there for everybody.

export default function ({ data }) {
  if (!window.vis?.Network) new Function(new TextDecoder().decode(data)).call(window);
  window.dispatchEvent(new Event("gdr-vis-ready"));
  return () => {};
}
