/** One measured figure. */
export interface Figure {
  /** Stable name, used in reports and thresholds. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The reference value measured in the same run. */
  readonly against: string;
  /** Upper bound; absent: the figure is only printed, like absolute times. */
  readonly bound?: number;
}

/** Formats a figure as one line of JSON, with whether its bound holds. */
export function figureLine(figure: Figure): string {
  const { name, value, unit, against, bound } = figure;
  const judged = bound === undefined ? { bound: null, holds: null } : { bound, holds: value <= bound };
  return JSON.stringify({ name, value, unit, against, ...judged });
}

/** The export `bench` of `bench/NAME/bench.ts`. */
export type Bench = () => AsyncIterable<Figure> | Promise<readonly Figure[]>;
