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
  const outgoing = Array.from({ length: count }, (): number[] => []);
  const incoming = new Set<number>();
  const rankOf = new Array<number>(count).fill(0);
  const upward = new Set<number>();
  for (const [index, { from, to }] of links.entries()) {
    outgoing[from]?.push(index);
    incoming.add(to);
    if (to !== tops.at(-1)) continue;
    upward.add(index); // whoever leads to the first box stands below it
    rankOf[from] = 1;
  }
  const all = Array.from({ length: count }, (_, box) => box);
  const starts = [...tops, ...all.filter((box) => !incoming.has(box)), ...all];
  for (const box of visit(starts, { links, outgoing, upward }))
    for (const index of outgoing[box] ?? []) {
      const link = links[index];
      if (!link) continue;
      // A link that goes up holds its ends apart like the others, the other way round.
      const [upper, lower] = upward.has(index) ? [link.to, link.from] : [link.from, link.to];
      rankOf[lower] = Math.max(rankOf[lower] ?? 0, (rankOf[upper] ?? 0) + 1);
    }
  const entered = new Set(links.flatMap(({ from, to }, index) => (upward.has(index) ? [from] : [to])));
  for (const box of all.filter((box) => !entered.has(box) && box !== tops.at(-1))) {
    const below = (outgoing[box] ?? []).map((index) => rankOf[links[index]?.to ?? 0] ?? 0);
    if (below.length > 0) rankOf[box] = Math.max(0, below.reduce((least, row) => Math.min(least, row)) - 1);
  }
  return { rankOf, upward };
}

interface Walk {
  readonly links: readonly Ends[];
  readonly outgoing: readonly (readonly number[])[];
  /** Links that are not followed; those that close a circle join them. */
  readonly upward: Set<number>;
}

/**
 * Walks depth first, without recursion as a chain can be long: a link to a box that is still open closes a circle.
 *
 * @returns The boxes in an order in which every link leads on, but for those that go up.
 */
function visit(starts: readonly number[], { links, outgoing, upward }: Walk): readonly number[] {
  const state = new Map<number, "open" | "done">();
  const finished: number[] = [];
  for (const start of starts) {
    if (state.has(start)) continue;
    const path = [{ box: start, next: 0 }];
    state.set(start, "open");
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const index = outgoing[top.box]?.[top.next++];
      if (index === undefined) {
        state.set(top.box, "done");
        finished.push(top.box);
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
  return finished.reverse();
}
