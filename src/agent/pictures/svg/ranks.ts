/** A directed link between two boxes, by index. */
export interface Ends {
  readonly from: number;
  readonly to: number;
}

/** Rows of the boxes. Links point down, except those that close a cycle. */
export interface Ranks {
  readonly rankOf: readonly number[];
  /** Indexes of the links that point up. */
  readonly upward: ReadonlySet<number>;
}

/**
 * Ranks each box by its longest path. A box without incoming links is directly above its first target.
 *
 * @param tops Boxes that links should lead away from. The last one is in the first row.
 */
export function rank(count: number, links: readonly Ends[], tops: readonly number[]): Ranks {
  const first = tops.at(-1);
  const outgoing = Array.from({ length: count }, (): number[] => []);
  const incoming = new Set<number>();
  const upward = new Set<number>();
  for (const [index, { from, to }] of links.entries()) {
    outgoing[from]?.push(index);
    incoming.add(to);
    // boxes that lead to a top are below it; of two tops that lead to each other, the last one is above
    if (to === first || (tops.includes(to) && !tops.includes(from))) upward.add(index);
  }
  const all = Array.from({ length: count }, (_, box) => box);
  closeCircles([...tops.toReversed(), ...all.filter((box) => !incoming.has(box)), ...all], { links, outgoing, upward });

  const above = Array.from({ length: count }, (): number[] => []);
  const below = Array.from({ length: count }, (): number[] => []);
  for (const [index, { from, to }] of links.entries()) {
    // a link that points up separates its ends like the others, in reverse
    const [upper, lower] = upward.has(index) ? [to, from] : [from, to];
    if (upper === lower) continue;
    below[upper]?.push(lower);
    above[lower]?.push(upper);
  }
  const rankOf = longestWays(above, below);
  for (const box of all.filter((box) => above[box]?.length === 0 && box !== first)) {
    const rows = (below[box] ?? []).map((lower) => rankOf[lower] ?? 0);
    if (rows.length > 0) rankOf[box] = Math.max(0, rows.reduce((least, row) => Math.min(least, row)) - 1);
  }
  return { rankOf, upward };
}

/** Returns the length of the longest path to each box. The links must not contain a cycle. */
function longestWays(above: readonly (readonly number[])[], below: readonly (readonly number[])[]): number[] {
  const rankOf = above.map(() => 0);
  const waitsFor = above.map((boxes) => boxes.length);
  const ready = [...above.keys()].filter((box) => waitsFor[box] === 0);
  for (let box = ready.pop(); box !== undefined; box = ready.pop())
    for (const lower of below[box] ?? []) {
      rankOf[lower] = Math.max(rankOf[lower] ?? 0, (rankOf[box] ?? 0) + 1);
      const left = (waitsFor[lower] ?? 0) - 1;
      waitsFor[lower] = left;
      if (left === 0) ready.push(lower);
    }
  return rankOf;
}

interface Walk {
  readonly links: readonly Ends[];
  readonly outgoing: readonly (readonly number[])[];
  /** Links to ignore; links that close a cycle are added. */
  readonly upward: Set<number>;
}

/** Walks depth first, iteratively because chains can be long. A link to a box that is still open closes a cycle. */
function closeCircles(starts: readonly number[], { links, outgoing, upward }: Walk): void {
  const state = new Map<number, "open" | "done">();
  for (const start of starts) {
    if (state.has(start)) continue;
    const path = [{ box: start, next: 0 }];
    state.set(start, "open");
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const index = outgoing[top.box]?.[top.next++];
      if (index === undefined) {
        state.set(top.box, "done");
        path.pop();
        continue;
      }
      const to = links[index]?.to ?? top.box;
      if (upward.has(index)) continue;
      if (state.get(to) === "open") upward.add(index);
      else if (!state.has(to)) {
        state.set(to, "open");
        path.push({ box: to, next: 0 });
      }
    }
  }
}
