// What has arrived, kept for the session; whoever asks too early is called when it is here.

/** @template {{ id: string }} T */
export class Store {
  /** @param {number} most so many are remembered */
  constructor(most) {
    this.most = most;
    /** @type {Map<string, T>} */
    this.known = new Map();
    /** @type {Map<string, ((item: T) => void)[]>} */
    this.waiting = new Map();
  }

  /** @param {string} id */
  has(id) {
    return this.known.has(id);
  }

  /** @param {T} item */
  keep(item) {
    this.known.delete(item.id);
    this.known.set(item.id, item);
    for (const id of this.known.keys()) {
      if (this.known.size <= this.most) break;
      this.known.delete(id);
    }
    for (const act of this.waiting.get(item.id) ?? []) act(item);
    this.waiting.delete(item.id);
  }

  /**
   * Calls `act` with an item as soon as it is here.
   * @param {string} id
   * @param {(item: T) => void} act
   */
  when(id, act) {
    const item = this.known.get(id);
    if (item) act(item);
    else this.waiting.set(id, [...(this.waiting.get(id) ?? []), act]);
  }
}
