import type { Stretch } from "../../../../platforms/mod.ts";

/** Joins intervals that touch; the result is sorted. */
export function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const result: Stretch[] = [];
  for (const next of stretches.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && next.from <= last.to) result[result.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
    else result.push(next);
  }
  return result;
}

/** The parts of an interval that none of the others cover, in order. */
export function gaps({ from, to }: Stretch, covered: readonly Stretch[]): readonly Stretch[] {
  const open: Stretch[] = [];
  let at = from;
  for (const stretch of joined(covered)) {
    if (stretch.from >= to) break;
    if (stretch.from > at) open.push({ from: at, to: stretch.from });
    at = Math.max(at, stretch.to);
  }
  if (at < to) open.push({ from: at, to });
  return open;
}

/** An interval without some moments. */
export function without(stretch: Stretch, moments: readonly number[]): readonly Stretch[] {
  return gaps(
    stretch,
    moments.map((at) => ({ from: at, to: at + 1 })),
  );
}
