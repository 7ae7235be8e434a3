import { decideGate, exactTest, type Gate, type Proportion } from "../../../base/statistics/mod.ts";

/** Significance level: changes with a higher p-value count as noise. */
const NOISE = 0.05;
/** How the trials of a scenario differ before and after a change. */
export interface TestedChange {
  /** p-value of Fisher's exact test, two-sided. */
  readonly p: number;
  /** The p-value times the number of attempts (Bonferroni), at most 1: with several attempts, one may look good by chance. */
  readonly corrected: number;
}

/**
 * Tests whether the failing scenario has changed.
 *
 * @param tries Maximum number of changes to try.
 */
export function testChange(before: Proportion, after: Proportion, tries: number): TestedChange {
  const p = exactTest(before, after);
  return { p, corrected: Math.min(1, p * tries) };
}

/** Whether the failing scenario has improved beyond noise. */
export function isImproved(before: Proportion, after: Proportion, tries: number): boolean {
  const isHigher = after.passes / after.trials > before.passes / before.trials;
  return isHigher && testChange(before, after, tries).corrected < NOISE;
}

/**
 * Whether a passing scenario got worse: its pass rate fell beyond noise, or its gate fails although the unchanged
 * graph, run as often, passes it. Each scenario is tested separately, without a correction: a change that may have
 * broken one is rejected.
 */
export function isWorse(before: Proportion, after: Proportion, gate: Gate): boolean {
  const passesGate = ({ passes, trials }: Proportion) =>
    decideGate(gate, { passes, fails: trials - passes, planned: trials }) === "pass";
  if (passesGate(before) && !passesGate(after)) return true;
  return after.passes / after.trials < before.passes / before.trials && exactTest(before, after) < NOISE;
}
