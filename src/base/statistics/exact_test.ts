import { type Distribution, splitsOf } from "./distributions.ts";
import { checkPair, type Proportion } from "./proportions.ts";

/** Probabilities that differ by rounding only are equal. */
export const ROUNDING = 1e-7;

/**
 * Fisher's exact test of two pass rates, two-sided: the probability of a difference at least as unlikely as this one
 * between runs of the same agent. It is exact for any number of trials.
 *
 * @returns The p-value, from 0 to 1. Small values say that the pass rate has changed.
 * @throws {ScenarioError} `invalid-option`.
 * @example
 * ```ts
 * import { exactTest } from "callweave/statistics";
 *
 * const p = exactTest({ passes: 36, trials: 40 }, { passes: 24, trials: 40 }); // 0.0039
 * ```
 */
export function exactTest(base: Proportion, head: Proportion): number {
  checkPair(base, head, "test two pass rates");
  return chanceOfSplit(splitsOf({ base, head }), base.passes);
}

/** Probability of a split at most as likely as the one with these passes of the base. */
export function chanceOfSplit({ from, probabilities }: Distribution, basePasses: number): number {
  const observed = probabilities[basePasses - from] ?? 0;
  const atMost = observed * (1 + ROUNDING);
  return Math.min(
    1,
    probabilities.reduce((sum, probability) => (probability <= atMost ? sum + probability : sum), 0),
  );
}
