import { checkPair, type Proportion } from "./proportions.ts";
import { type Interval, wilson } from "./wilson.ts";

/**
 * Interval of the difference of two pass rates, head minus base, from Wilson's intervals of both.
 *
 * @param confidence How often such intervals cover the true difference. Default: 0.95.
 * @throws {ScenarioError} `invalid-option`.
 * @see R. G. Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17
 *   (1998), method 10.
 */
export function differenceInterval(base: Proportion, head: Proportion, confidence = 0.95): Interval {
  checkPair(base, head, "compare two pass rates");
  const [from, to] = [base, head].map(({ passes, trials }) => ({
    rate: passes / trials,
    ...wilson(passes, trials, confidence),
  }));
  if (!from || !to) throw new TypeError("unreachable: there are two runs");
  const difference = to.rate - from.rate;
  return {
    low: difference - Math.hypot(to.rate - to.low, from.high - from.rate),
    high: difference + Math.hypot(to.high - to.rate, from.rate - from.low),
  };
}
