/** Boxes that each box is linked with in the row above and the row below. */
export interface Neighbours {
  readonly above: readonly (readonly number[])[];
  readonly below: readonly (readonly number[])[];
}

const MOST_SWEEPS = 24;
const LEAST_SWEEPS = 4;
const WORK = 60_000;
// exchanging neighbours is worth the time only for pictures that people can view whole
const MOST_BOXES_EXCHANGED = 1500;

/** Orders the boxes within each row so that few links cross. */
export function orderRows(rows: readonly (readonly number[])[], { above, below }: Neighbours): number[][] {
  const current = rows.map((row) => [...row]);
  const place: number[] = [];
  const settle = (row: readonly number[]) => {
    for (const [index, box] of row.entries()) place[box] = index;
  };
  current.forEach(settle);
  const small = above.length <= MOST_BOXES_EXCHANGED;
  let best = current.map((row) => [...row]);
  let least = crossings(current, below, place);
  const sweeps = Math.min(MOST_SWEEPS, Math.max(LEAST_SWEEPS, WORK / above.length));
  for (let sweep = 0; sweep < sweeps && least > 0; sweep++) {
    const down = sweep % 2 === 0;
    const side = down ? above : below;
    for (const row of down ? current : current.toReversed()) {
      const wish = new Map(row.map((box, index) => [box, mean(side[box] ?? [], place) ?? index]));
      row.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
      settle(row);
    }
    if (small) for (const row of current) exchange(row, { above, below }, place);
    const now = crossings(current, below, place);
    if (now < least) [best, least] = [current.map((row) => [...row]), now];
  }
  return best;
}

/** Exchanges neighbouring boxes while that removes crossings. */
function exchange(row: number[], { above, below }: Neighbours, place: number[]): void {
  for (let round = 0, changed = true; changed && round < 8; round++) {
    changed = false;
    for (let index = 0; index + 1 < row.length; index++) {
      const [left, right] = [row[index] ?? 0, row[index + 1] ?? 0];
      let gain = 0;
      for (const side of [above, below])
        for (const a of side[left] ?? [])
          for (const b of side[right] ?? []) gain += Math.sign((place[a] ?? 0) - (place[b] ?? 0));
      if (gain <= 0) continue;
      [row[index], row[index + 1]] = [right, left];
      [place[left], place[right]] = [index + 1, index];
      changed = true;
    }
  }
}

/** Counts crossing pairs of links between rows, as inversions. */
function crossings(rows: readonly (readonly number[])[], below: Neighbours["below"], place: readonly number[]): number {
  let total = 0;
  for (const [index, row] of rows.entries()) {
    const width = rows[index + 1]?.length ?? 0;
    const tree = new Array<number>(width + 1).fill(0);
    let seen = 0;
    for (const box of row) {
      const ends = (below[box] ?? []).map((other) => place[other] ?? 0);
      for (const end of ends) {
        let notRight = 0;
        for (let at = end + 1; at > 0; at -= at & -at) notRight += tree[at] ?? 0;
        total += seen - notRight;
      }
      for (const end of ends) for (let at = end + 1; at <= width; at += at & -at) tree[at] = (tree[at] ?? 0) + 1;
      seen += ends.length;
    }
  }
  return total;
}

function mean(boxes: readonly number[], place: readonly number[]): number | undefined {
  if (boxes.length === 0) return undefined;
  return boxes.reduce((sum, box) => sum + (place[box] ?? 0), 0) / boxes.length;
}
