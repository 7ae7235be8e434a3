/** Items by a text that several of them can share; items without one are left out. */
export function groupBy<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string | undefined,
): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
