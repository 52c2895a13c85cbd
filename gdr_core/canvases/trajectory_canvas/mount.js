// The trajectory canvas in two mounts: the curves in one, the chosen time in the other.

import { twoMounts } from "../mounts/parts.js";
import { known, unpackCurves } from "./curves.js";
import { Chart } from "./trajectory.js";

export default twoMounts({ name: "trajectory_canvas", wants: "curves", event: "moved" }, Chart, known, unpackCurves);
