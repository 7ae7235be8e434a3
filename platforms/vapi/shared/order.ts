/** An item of a list and where it stood when the list was read; a new one has no place. */
export interface Placed<Item> {
  readonly index?: number | undefined;
  readonly item: Item;
}

/**
 * Interleaves lists as they stood when they were one. Each keeps its own order, whatever was edited; the old places only
 * decide which of them is next. New items stand behind the one before them, at a list's end behind everything.
 */
export function interleave<Item>(lists: readonly (readonly Placed<Item>[])[]): Item[] {
  const queues = lists.map(withPlaces);
  const heads = queues.map(() => 0);
  const result: Item[] = [];
  for (;;) {
    let next = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const [list, queue] of queues.entries()) {
      const head = queue[heads[list] ?? 0];
      if (head && (next < 0 || head.index < least)) [next, least] = [list, head.index];
    }
    const taken = queues[next]?.[heads[next] ?? 0];
    if (!taken) return result;
    heads[next] = (heads[next] ?? 0) + 1;
    result.push(taken.item);
  }
}

function withPlaces<Item>(list: readonly Placed<Item>[]): { index: number; item: Item }[] {
  const last = list.findLastIndex((placed) => placed.index !== undefined);
  let before = -1;
  return list.map(({ index, item }, position) => {
    before = index ?? (position > last ? Number.POSITIVE_INFINITY : before);
    return { index: before, item };
  });
}

/** A place that was saved with a graph; anything else is none. */
export function readIndex(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}
