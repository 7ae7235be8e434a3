import { type CorrectedTest, differenceInterval, wilson } from "../../base/statistics/mod.ts";
import type { RateChange, RateComparison, RateSides, SideCounts } from "./types.ts";
import { rateWords } from "./words.ts";

/** Corrected p-values up to this are significant. */
export const LEVEL = 0.05;

/** Computes the rates of one run. */
export function sideOf(passes: number, trials: number): SideCounts {
  if (trials === 0) return { passes, trials, passRate: null, interval: null };
  return { passes, trials, passRate: passes / trials, interval: wilson(passes, trials) };
}

/**
 * Compares two pass rates.
 *
 * @param test `undefined` when one run has no trials.
 * @param context Words for the reason: `missing` why there is no test, `corrected` what p is corrected for.
 */
export function compareRates(
  { base, head }: RateSides,
  test: CorrectedTest | undefined,
  context: { readonly what: string; readonly corrected: string; readonly missing: string },
): RateComparison {
  if (!test || base.passRate === null || head.passRate === null)
    return { base, head, difference: null, p: null, correctedP: null, change: "none", reason: context.missing };
  const value = head.passRate - base.passRate;
  const { p, corrected } = test;
  const isReal = corrected <= LEVEL;
  const change: RateChange = !isReal || value === 0 ? "none" : value < 0 ? "worse" : "better";
  return {
    base,
    head,
    difference: { value, ...differenceInterval(base, head) },
    p,
    correctedP: corrected,
    change,
    reason: rateWords({ base, head }, test, { ...context, isReal }),
  };
}
