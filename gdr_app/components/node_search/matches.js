// Which nodes a few typed letters may mean.

/**
 * Names that occur more than once get their number, as in Python's `cached.node_labels`.
 * @param {{ names: string[], labels?: string[] }} geometry remembers them
 */
export function labelsOf(geometry) {
  if (geometry.labels) return geometry.labels;
  const times = new Map();
  for (const name of geometry.names) times.set(name, (times.get(name) ?? 0) + 1);
  geometry.labels = geometry.names.map((name, node) => (times.get(name) > 1 ? `${name} (node ${node})` : name));
  return geometry.labels;
}

/**
 * The labels that begin with what was typed, the shortest first, then those that contain it.
 * @param {string[]} labels
 * @param {string} typed
 * @param {number} most
 */
export function matchesOf(labels, typed, most) {
  const begins = [];
  const contains = [];
  for (let node = 0; node < labels.length && begins.length < most; node++) {
    const at = labels[node].toLowerCase().indexOf(typed.toLowerCase());
    if (at === 0) begins.push(node);
    else if (at > 0 && contains.length < most) contains.push(node);
  }
  begins.sort((a, b) => labels[a].length - labels[b].length || a - b);
  return [...begins, ...contains].slice(0, most);
}
