/** A difference from a baseline. */
export interface PageComparison {
  readonly base: string;
  readonly summary: string;
  readonly rows: readonly PageChange[];
}

/** How a scenario or a metric changed. */
export interface PageChange {
  readonly scenario: string;
  /** The judged criterion; absent for the pass rate. */
  readonly criterion?: string;
  readonly base: PageRate;
  readonly head: PageRate;
  readonly change: "better" | "worse" | "none";
  readonly reason: string;
}

/** Passed trials of those that passed or failed. */
export interface PageRate {
  readonly passes: number;
  readonly trials: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}
