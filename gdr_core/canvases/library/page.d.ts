// What the components share through the page: each of them has its own copy of the code.

import type { GeometryCall } from "../graph_canvas/geometry.js";
import type { Mount } from "../mounts/mounting.js";
import type { Store } from "../mounts/store.js";
import type { Place } from "../t_min_bar/following.js";
import type { Sweep } from "../t_min_bar/sweeps.js";
import type { TimeEvent } from "./clock.js";
import type { Part } from "./saving/page.js";

declare global {
  interface Window {
    gdrParts?: Record<string, Mount>;
    gdrGeometry?: GeometryCall;
    gdrPlaces?: Map<HTMLElement, () => Part | null>;
    gdrHistory?: boolean;
    gdrSweeps?: Store<Sweep>;
    gdrTMin?: Place;
    gdrGeometryAwaited?: Parameters<GeometryCall>[];
    vis?: { Network: new (place: HTMLElement, data: object, options: object) => VisNetwork };
  }

  interface WindowEventMap {
    "gdr-time": CustomEvent<TimeEvent>;
  }

  /** The part of vis-network that is used here. */
  interface VisNetwork {
    on(name: string, act: (given: any) => void): void;
    redraw(): void;
    destroy(): void;
    unselectAll(): void;
    setOptions(options: object): void;
    moveTo(options: { position?: { x: number; y: number }; scale?: number }): void;
    getScale(): number;
    getPosition(node: number): { x: number; y: number };
    canvasToDOM(place: { x: number; y: number }): { x: number; y: number };
  }
}
