/** A directed link between two boxes, by their indexes. */
export interface Ends {
  readonly from: number;
  readonly to: number;
}

/** How boxes are put in rows, so that links go down but for those that close a circle. */
export interface Ranks {
  readonly rankOf: readonly number[];
  /** Indexes of the links that go up. */
  readonly upward: ReadonlySet<number>;
}

/**
 * Rows by the longest way to each box; a box that nothing leads to stands right above the first it leads to.
 *
 * @param tops Boxes that links should lead away from; the last one stands in the first row.
 */
export function rank(count: number, links: readonly Ends[], tops: readonly number[]): Ranks {
  const first = tops.at(-1);
  const outgoing = Array.from({ length: count }, (): number[] => []);
  const incoming = new Set<number>();
  const upward = new Set<number>();
  for (const [index, { from, to }] of links.entries()) {
    outgoing[from]?.push(index);
    incoming.add(to);
    // whoever leads to a top stands below it; of two tops that lead to each other, the last one is above
    if (to === first || (tops.includes(to) && !tops.includes(from))) upward.add(index);
  }
  const all = Array.from({ length: count }, (_, box) => box);
  closeCircles([...tops.toReversed(), ...all.filter((box) => !incoming.has(box)), ...all], { links, outgoing, upward });

  const above = Array.from({ length: count }, (): number[] => []);
  const below = Array.from({ length: count }, (): number[] => []);
  for (const [index, { from, to }] of links.entries()) {
    // A link that goes up holds its ends apart like the others, the other way round.
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

/** Of each box, how many links the longest way down to it has; none of the ways may be a circle. */
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
  /** Links that are not followed; those that close a circle join them. */
  readonly upward: Set<number>;
}

/** Walks depth first, without recursion as a chain can be long: a link to a box that is still open closes a circle. */
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
