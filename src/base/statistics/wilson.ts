import { rule } from "../values/mod.ts";
import { checkNumbers, isCount, NUMBERS } from "./checked.ts";
import { normalQuantile } from "./normal_quantile.ts";

/** An interval that covers the true value with the stated confidence. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval of a pass rate, without continuity correction. It stays within 0 and 1, and is useful for few
 * trials and for rates near 0 and 1.
 *
 * @param passes Trials that passed.
 * @param trials Trials that passed or failed. Without any the interval is 0 to 1.
 * @param confidence How often such intervals cover the true rate. Default: 0.95.
 * @throws {ScenarioError} `invalid-option`.
 * @see E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
 * @example
 * ```ts
 * import { wilson } from "callweave/statistics";
 *
 * const { low, high } = wilson(8, 10); // 0.49 to 0.94
 * ```
 */
export function wilson(passes: number, trials: number, confidence = 0.95): Interval {
  const atMost = rule(
    "a whole number from 0 to the number of trials",
    (value) => isCount(value) && !(isCount(trials) && value > trials),
  );
  checkNumbers(
    { passes, trials, confidence },
    { passes: atMost, trials: NUMBERS.count, confidence: NUMBERS.share },
    "compute an interval",
  );
  if (trials === 0) return { low: 0, high: 1 };
  const z = normalQuantile((1 + confidence) / 2);
  const rate = passes / trials;
  const scale = 1 + (z * z) / trials;
  const middle = rate + (z * z) / (2 * trials);
  const half = z * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials));
  return {
    low: passes === 0 ? 0 : Math.max(0, (middle - half) / scale),
    high: passes === trials ? 1 : Math.min(1, (middle + half) / scale),
  };
}
