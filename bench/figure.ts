import process from "node:process";

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
  /**
   * Whether the value is counted, not measured in time or memory: it is the same on every machine, and the small form
   * holds it to its bound. Default: if the bound is 0.
   */
  readonly counted?: boolean;
}

/** Set by `npm run bench -- --small`; processes of a bench inherit it. */
const SMALL = "CALLWEAVE_BENCH_SMALL";

/** Makes benches small: a few cases each, as a test that they work and that nothing is wrong in those cases. */
export function benchSmall(): void {
  process.env[SMALL] = "1";
}

/** A size of a bench, and its size in the small form. */
export function sized(full: number, small: number): number {
  return process.env[SMALL] === "1" ? small : full;
}

/**
 * Whether a figure is within its bound; `null` if it is not judged: without a bound, and in the small form any figure
 * that is not counted, because times of a few cases say nothing.
 */
export function holds({ value, bound, counted = bound === 0 }: Figure): boolean | null {
  return bound === undefined || (sized(0, 1) === 1 && !counted) ? null : value <= bound;
}

/** Formats a figure as one line of JSON, with whether its bound holds. */
export function figureLine(figure: Figure): string {
  const { name, value, unit, against, bound = null } = figure;
  return JSON.stringify({ name, value, unit, against, bound, holds: holds(figure) });
}

/**
 * Runs a bench and prints its figures.
 *
 * @returns Whether it ends, and every figure is within its bound.
 */
export async function runBench(
  name: string,
  bench: Bench,
  print: (line: string) => void,
  options: BenchOptions = {},
): Promise<boolean> {
  let isGood = true;
  try {
    const figures = bench(options);
    for await (const figure of Symbol.asyncIterator in figures ? figures : await figures) {
      print(figureLine(figure));
      isGood &&= holds(figure) !== false;
    }
    return isGood;
  } catch (error) {
    console.error(`Bench "${name}" failed:`, error);
    return false;
  }
}

/** What a bench with models is told. */
export interface BenchOptions {
  /** `provider/model` of the agent. */
  readonly model?: string | undefined;
  /** `provider/model` of caller and judge. Default: the agent's. */
  readonly callerModel?: string | undefined;
  /** Calls of each task. */
  readonly trials?: number | undefined;
  /** Number of tasks, from the first. Default: all. */
  readonly tasks?: number | undefined;
  /** File for the calls. */
  readonly save?: string | undefined;
}

/** The export `bench` of `bench/NAME/bench.ts`. */
export type Bench = (options: BenchOptions) => AsyncIterable<Figure> | Promise<readonly Figure[]>;
