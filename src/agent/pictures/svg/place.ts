/** A force that pulls a box towards another one. */
export interface Pull {
  readonly other: number;
  readonly weight: number;
}

// Work limit, in box moves: enough for a picture of one page; larger pictures get fewer sweeps.
const WORK = 250_000;
const MOST_SWEEPS = 400;
const LEAST_SWEEPS = 6;

/**
 * Computes the x position of every box: near its linked boxes, in the order of its row, with the given gaps. Each row
 * is solved exactly (least squares) by pooling adjacent violators.
 */
export function placeRows(
  rows: readonly (readonly number[])[],
  pulls: readonly (readonly Pull[])[],
  { widths, apart }: { readonly widths: readonly number[]; readonly apart: (left: number, right: number) => number },
): number[] {
  const x: number[] = [];
  for (const row of rows) {
    let at = 0;
    for (const [index, box] of row.entries()) {
      if (index > 0) at += apart(row[index - 1] ?? 0, box);
      x[box] = at;
    }
    for (const box of row) x[box] = (x[box] ?? 0) - at / 2;
  }
  const offsets = rows.map((row) => offsetsOf(row, apart));
  const weights = pulls.map((each) => each.reduce((sum, { weight }) => sum + weight, 0));
  const settle = (row: readonly number[], within: readonly number[]) => {
    const wishes = row.map((box, index) => {
      const weight = weights[box] ?? 0;
      const at = weight === 0 ? (x[box] ?? 0) : wishedAt(pulls[box] ?? [], x, weight);
      return { at: at - (within[index] ?? 0), weight: weight === 0 ? 0.1 : weight };
    });
    const pooled = pool(wishes);
    for (const [index, box] of row.entries()) x[box] = (pooled[index] ?? 0) + (within[index] ?? 0);
  };
  const sweeps = Math.min(MOST_SWEEPS, Math.max(LEAST_SWEEPS, WORK / widths.length));
  const down = rows.map((row, index) => () => settle(row, offsets[index] ?? []));
  const up = down.toReversed();
  for (let sweep = 0; sweep < sweeps; sweep++) for (const settleRow of sweep % 2 === 0 ? down : up) settleRow();
  const left = Math.min(
    0,
    ...rows.flatMap((row) => row.slice(0, 1).map((box) => (x[box] ?? 0) - (widths[box] ?? 0) / 2)),
  );
  return x.map((at) => at - left);
}

interface Wish {
  readonly at: number;
  readonly weight: number;
}

/** The distances of a row's boxes from its first one when they stand as close as they may. */
function offsetsOf(row: readonly number[], apart: (left: number, right: number) => number): readonly number[] {
  const offsets: number[] = [];
  for (const [index, box] of row.entries())
    offsets.push(index === 0 ? 0 : (offsets[index - 1] ?? 0) + apart(row[index - 1] ?? 0, box));
  return offsets;
}

function wishedAt(pulls: readonly Pull[], x: readonly number[], weight: number): number {
  let sum = 0;
  for (const pull of pulls) sum += pull.weight * (x[pull.other] ?? 0);
  return sum / weight;
}

/** Returns the non-decreasing values nearest to the wishes (pool adjacent violators). */
function pool(wishes: readonly Wish[]): readonly number[] {
  const pools: { at: number; weight: number; size: number }[] = [];
  for (const { at, weight } of wishes) {
    const last = { at, weight, size: 1 };
    for (let before = pools.at(-1); before && before.at > last.at; before = pools.at(-1)) {
      const sum = before.weight + last.weight;
      last.at = (before.at * before.weight + last.at * last.weight) / sum;
      last.weight = sum;
      last.size += before.size;
      pools.pop();
    }
    pools.push(last);
  }
  const values: number[] = [];
  for (const { at, size } of pools) for (let count = 0; count < size; count++) values.push(at);
  return values;
}
