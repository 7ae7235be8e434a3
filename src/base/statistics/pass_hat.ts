import { rule } from "../values/mod.ts";
import { checkNumbers, isCount, NUMBERS } from "./checked.ts";

/**
 * Estimates pass^k of one scenario as tau-bench does: the probability that `k` calls all pass, `C(passes, k) / C(trials,
 * k)`. For a run, take the mean over its scenarios.
 *
 * @param k Number of calls that must all pass, from 1 to the number of trials.
 * @param trials Trials that passed or failed.
 * @param passes Trials that passed.
 * @throws {ScenarioError} `invalid-option`.
 * @see S. Yao et al., τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains (2024).
 * @example
 * ```ts
 * import { passHat } from "callweave/statistics";
 *
 * const both = passHat(2, 4, 3); // 3 of 4 trials passed: two calls both pass in 0.5 of all cases
 * ```
 */
export function passHat(k: number, trials: number, passes: number): number {
  const upTo = (from: number, high: number, what: string) =>
    rule(
      `a whole number from ${from} to the number of ${what}`,
      (value) => isCount(value) && value >= from && !(isCount(high) && value > high),
    );
  checkNumbers(
    { k, trials, passes },
    { k: upTo(1, trials, "trials"), trials: NUMBERS.count, passes: upTo(0, trials, "trials") },
    "estimate pass^k",
  );
  let share = 1;
  for (let index = 0; index < k; index += 1) share *= Math.max(0, passes - index) / (trials - index);
  return share;
}
