// Parts in two mounts: code and bytes come in one, which stays the same, and what changes in the
// other. The view is told when both are here.

import { headOf } from "./bytes.js";
import { viewing } from "./mounting.js";

/** @import { Part } from "../library/saving/page.js" */
/** @import { Mount } from "./mounting.js" */
/** @import { Store } from "./store.js" */

/**
 * A view draws an item of a store as a message says.
 * @template Item
 * @template Message
 * @typedef {{ new (root: HTMLElement): { take(item: Item, message: Message, send: (value: any) => void): void, close(): void } }} Kind
 */

/**
 * name    under which the other mount finds the part
 * wants   the field of a message that says which item it wants
 * event   the name under which Python hears what the view sends
 * leans   whether it draws with what another mount brings: in a page of its own it is told that it is `alone`
 * @typedef {{ name: string, wants: string, event: string, leans?: boolean }} Names
 */

/** @typedef {{ code: string, bytes: Uint8Array }} Origin what an item was made of */

/**
 * @template {{ id: string }} Item
 * @template {Record<string, any>} Message
 * @param {Names} names
 * @param {Kind<Item, Message>} View
 * @param {Store<Item>} store keeps what the bytes hold
 * @param {(bytes: Uint8Array) => Item} unpack
 * @returns {Mount}
 */
export function twoMounts({ name, wants, event, leans = false }, View, store, unpack) {
  /** @type {WeakMap<Item, Origin>} */
  const origins = new WeakMap();
  const view = viewing(waiting(View, store, { wants, leans }, (item) => origins.get(item)), event);
  return publish(name, (given) => {
    const { data: bytes, code = "" } = given;
    if (!(bytes instanceof Uint8Array)) return view(given);
    if (!store.has(headOf(bytes).head.id)) {
      const item = unpack(bytes);
      origins.set(item, { code, bytes });
      store.keep(item);
    }
    return () => {};
  });
}

/**
 * A view that waits for what the last message wants.
 * @template {{ id: string }} Item
 * @template {Record<string, any>} Message
 * @param {Kind<Item, Message>} View
 * @param {Store<Item>} store
 * @param {{ wants: string, leans: boolean }} names
 * @param {(item: Item) => Origin | undefined} originOf
 */
function waiting(View, store, { wants, leans }, originOf) {
  return class {
    /** @param {HTMLElement} root */
    constructor(root) {
      this.view = new View(root);
      this.wanted = "";
      /** @type {Item | null} */
      this.item = null;
    }

    /**
     * @param {Message} data
     * @returns {Part | null}
     */
    saved(data) {
      const origin = this.item && originOf(this.item);
      return origin ? { ...origin, data: leans ? { ...data, alone: true } : data, wants } : null;
    }

    /**
     * @param {Message} message
     * @param {(value: any) => void} send
     */
    update(message, send) {
      this.wanted = message[wants];
      store.when(this.wanted, (item) => {
        if (item.id !== this.wanted) return;
        this.item = item;
        this.view.take(item, message, send);
      });
    }

    close() {
      this.wanted = "";
      this.view.close();
    }
  };
}

/**
 * The first copy of a part serves the whole page: it holds what has arrived so far.
 * @param {string} name
 * @param {Mount} mount
 * @returns {Mount}
 */
export function publish(name, mount) {
  const parts = (window.gdrParts ??= {});
  parts[name] ??= mount;
  window.dispatchEvent(new Event("gdr-part"));
  return (given) => parts[name](given);
}
