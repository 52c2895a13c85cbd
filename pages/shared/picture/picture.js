// Parsed as XML, not as HTML: what is not well-formed SVG is not shown, and no script in it runs.
export default function ({ parentElement, data }) {
  const picture = new DOMParser().parseFromString(data.svg, "image/svg+xml").documentElement;
  if (picture.nodeName !== "svg") return;
  let host = parentElement.querySelector(".host");
  if (!host) {
    host = document.createElement("div");
    host.className = "host";
    parentElement.append(host);
  }
  host.replaceChildren(document.importNode(picture, true));
}
