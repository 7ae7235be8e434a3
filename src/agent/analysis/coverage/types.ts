import type { CoverageKind, NamedTarget } from "./targets.ts";

/** A target, and how many calls have exercised it. */
export type CoverageItem = NamedTarget & {
  /** Number of calls; 0: not covered. */
  readonly calls: number;
};

/** Number of items, and of those that are covered. */
export interface CoverageCount {
  readonly covered: number;
  readonly total: number;
}

/** The coverage of a graph by the calls of runs. */
export interface Coverage {
  /** Fingerprint of the graph. Only coverages of the same graph can be merged. */
  readonly graphFingerprint: string;
  /** Number of calls that count. */
  readonly calls: number;
  /** Number of results that do not count, by status: calls that nobody has judged. */
  readonly leftOut: { readonly [status: string]: number };
  /** Everything that calls can exercise, in the order of the document. */
  readonly items: readonly CoverageItem[];
  /** By kind of item, and of all items together. */
  readonly counts: { readonly [Kind in CoverageKind | "total"]: CoverageCount };
}
