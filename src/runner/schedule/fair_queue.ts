/** A queue that takes one item of each group in turn. */
export interface FairQueue<Item> {
  add(group: string, item: Item): void;
  /** Takes the next item of the group that has waited longest. */
  take(): Item | undefined;
  /** Removes the waiting items of a group and returns them. */
  drop(group: string): readonly Item[];
}

/** Creates a queue: groups take turns in the order of their first items, items of a group keep their order. */
export function createFairQueue<Item>(): FairQueue<Item> {
  const waiting = new Map<string, Item[]>(); // a map keeps the order in which groups were set
  return {
    add: (group, item) => {
      const items = waiting.get(group);
      if (items) items.push(item);
      else waiting.set(group, [item]);
    },
    take: () => {
      const [next] = waiting;
      if (!next) return undefined;
      const [group, items] = next;
      const item = items.shift();
      waiting.delete(group);
      if (items.length > 0) waiting.set(group, items); // last again
      return item;
    },
    drop: (group) => {
      const items = waiting.get(group) ?? [];
      waiting.delete(group);
      return items;
    },
  };
}
