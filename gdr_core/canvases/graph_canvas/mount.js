// The graph canvas in two mounts: the graph in one, its looks in the other.

import { twoMounts } from "../mounts/parts.js";
import { GraphView } from "./canvas.js";
import { geometries, offerGeometries, unpackGeometry } from "./geometry.js";

offerGeometries();

export default twoMounts({ name: "graph_canvas", wants: "geometry", event: "selected" }, GraphView, geometries, unpackGeometry);
