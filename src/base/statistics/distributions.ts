import type { ProportionPair } from "./proportions.ts";

/** Probabilities of `from`, `from + 1`, … */
export interface Distribution {
  readonly from: number;
  readonly probabilities: readonly number[];
}

/**
 * The number of passes in the base, if trials are assigned to base and head by chance (hypergeometric).
 */
export function splitsOf({ base, head }: ProportionPair): Distribution {
  const passes = base.passes + head.passes;
  const from = Math.max(0, passes - head.trials);
  const last = Math.min(base.trials, passes);
  return fromRatios(from, last, (count) => {
    const [inBase, inHead] = [count, passes - count];
    return Math.log((inHead * (base.trials - inBase)) / ((inBase + 1) * (head.trials - inHead + 1)));
  });
}

/** Mean and concentration of pass rates that differ between scenarios: the parameters of a beta distribution. */
export interface BetaShape {
  readonly alpha: number;
  readonly beta: number;
}

/** Number of passes among trials of a scenario whose pass rate is drawn from a beta distribution (beta-binomial). */
export function passesOf(trials: number, { alpha, beta }: BetaShape): Distribution {
  return fromRatios(0, trials, (count) =>
    Math.log(((trials - count) / (count + 1)) * ((alpha + count) / (beta + trials - count - 1))),
  );
}

/** Builds a distribution from the logarithms of the ratios of neighbours, without overflow. */
function fromRatios(from: number, last: number, logRatio: (count: number) => number): Distribution {
  const logs = [0];
  let log = 0;
  let largest = 0;
  for (let count = from; count < last; count += 1) {
    log += logRatio(count);
    largest = Math.max(largest, log);
    logs.push(log);
  }
  const weights = logs.map((each) => Math.exp(each - largest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { from, probabilities: weights.map((weight) => weight / sum) };
}
