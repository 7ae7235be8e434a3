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
  const sweeps = Math.min(MOST_SWEEPS, Math.max(LEAST_SWEEPS, WORK / widths.length));
  for (let sweep = 0; sweep < sweeps; sweep++)
    for (const row of sweep % 2 === 0 ? rows : rows.toReversed()) {
      const wishes = row.map((box) => wish(pulls[box] ?? [], x, x[box] ?? 0));
      const offsets: number[] = [];
      for (const [index, box] of row.entries())
        offsets.push(index === 0 ? 0 : (offsets[index - 1] ?? 0) + apart(row[index - 1] ?? 0, box));
      const pooled = pool(wishes.map(({ at, weight }, index) => ({ at: at - (offsets[index] ?? 0), weight })));
      for (const [index, box] of row.entries()) x[box] = (pooled[index] ?? 0) + (offsets[index] ?? 0);
    }
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

function wish(pulls: readonly Pull[], x: readonly number[], here: number): Wish {
  const weight = pulls.reduce((sum, pull) => sum + pull.weight, 0);
  if (weight === 0) return { at: here, weight: 0.1 };
  return { at: pulls.reduce((sum, { other, weight }) => sum + weight * (x[other] ?? 0), 0) / weight, weight };
}

/** Returns the non-decreasing values nearest to the wishes (pool adjacent violators). */
function pool(wishes: readonly Wish[]): readonly number[] {
  const pools: { at: number; weight: number; size: number }[] = [];
  for (const { at, weight } of wishes) {
    let last = { at, weight, size: 1 };
    for (let before = pools.at(-1); before && before.at > last.at; before = pools.at(-1)) {
      const sum = before.weight + last.weight;
      last = {
        at: (before.at * before.weight + last.at * last.weight) / sum,
        weight: sum,
        size: before.size + last.size,
      };
      pools.pop();
    }
    pools.push(last);
  }
  return pools.flatMap(({ at, size }) => new Array<number>(size).fill(at));
}
