// The figure as a component of a page.

import { viewing } from "#canvases/mounts/mounting.js";
import { Figure } from "./figure.js";

export default viewing(Figure, "told");
