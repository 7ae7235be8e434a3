/** One measured figure. */
export interface Figure {
  /** Stable; the name that reports and thresholds know it by. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it was measured beside in the same run. */
  readonly against: string;
  /** The most that it may be; absent: it is only printed, as absolute times are. */
  readonly bound?: number;
}

/** A figure as it is printed: one line of JSON, with whether its bound holds. */
export function figureLine(figure: Figure): string {
  const { name, value, unit, against, bound } = figure;
  const judged = bound === undefined ? { bound: null, holds: null } : { bound, holds: value <= bound };
  return JSON.stringify({ name, value, unit, against, ...judged });
}

/** What `bench/NAME/bench.ts` exports as `bench`. */
export type Bench = () => AsyncIterable<Figure> | Promise<readonly Figure[]>;
