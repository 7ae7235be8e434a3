import { rule } from "../values/mod.ts";
import { checkNumbers, checkPair, type Interval, type Proportion, type ProportionPair, wilson } from "./rates.ts";

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

/**
 * Weight of the other scenarios' probabilities. 1 would be enough; with this reserve, equal runs differ
 * in 2 to 4 % of comparisons instead of up to 5 %, so that a count of false alarms stays below 5 % too. If one
 * scenario stands out, it costs little.
 */
const RESERVE = 1.3;

/** P-values of one scenario's comparison. */
export interface CorrectedTest {
  /** Of {@link exactTest}, for this scenario alone. */
  readonly p: number;
  /**
   * Corrected for the number of comparisons: if only scenarios with `corrected` ≤ 0.05 are called changed, then
   * at most 5 % of all comparisons name a scenario that has not changed. At least `p`.
   */
  readonly corrected: number;
}

/**
 * Tests the pass rates of several scenarios in two runs, and corrects the p-values for their number.
 *
 * The correction is a step-down permutation test (Westfall and Young): what would chance do if each scenario's trials
 * were dealt to base and head again? It is exact for any number of trials, and costs nothing for scenarios that cannot
 * differ, such as those that always pass. Scenarios are compared by how much better one run with an unusual pass rate
 * explains them, so that the scenarios whose trials could show a change get most of the 5 %.
 *
 * @returns One result per pair, in the same order.
 * @throws {ScenarioError} `invalid-option`.
 * @see P. H. Westfall and S. S. Young, Resampling-Based Multiple Testing (1993), algorithm 2.8.
 * @example
 * ```ts
 * import { correctedTests } from "callweave/statistics";
 *
 * const [fallen] = correctedTests([
 *   { base: { passes: 36, trials: 40 }, head: { passes: 24, trials: 40 } },
 *   { base: { passes: 38, trials: 40 }, head: { passes: 39, trials: 40 } },
 * ]);
 * ```
 */
export function correctedTests(pairs: readonly ProportionPair[]): readonly CorrectedTest[] {
  checkPairs(pairs);
  const [first, ...rest] = pairs;
  if (!first) return [];
  if (rest.length === 0) {
    const p = exactTest(first.base, first.head);
    return [{ p, corrected: p }];
  }
  const surprisesOf = surprisesBy(usualRates(pairs));
  // Scenarios with equal numbers of trials and passes share a table; runs have few different ones.
  const groups = new Map<string, { readonly surprises: Surprises; remaining: number }>();
  const members = pairs.map((pair, index) => {
    const { base, head } = pair;
    const key = [base.trials, head.trials, base.passes + head.passes].join(" ");
    const group = groups.get(key) ?? { surprises: surprisesOf(pair), remaining: 0 };
    group.remaining += 1;
    groups.set(key, group);
    const { surprises } = group;
    return { index, group, p: surprises.p(base.passes), surprise: surprises.of(base.passes) };
  });
  const tests: CorrectedTest[] = [];
  let highest = 0;
  for (const { index, group, p, surprise } of members.sort((a, b) => b.surprise - a.surprise)) {
    const own = group.surprises.chanceOf(surprise);
    let others = -own;
    for (const { remaining, surprises } of groups.values())
      if (remaining > 0) others += remaining * surprises.chanceOf(surprise);
    const chance = own + RESERVE * Math.max(0, others);
    highest = Math.max(highest, Math.min(1, chance));
    tests[index] = { p, corrected: Math.max(p, highest) };
    group.remaining -= 1;
  }
  return tests;
}

function checkPairs(pairs: readonly ProportionPair[]): void {
  const isList = rule("a list of { base, head }", Array.isArray);
  checkNumbers({ pairs }, { pairs: isList }, "test pass rates");
  for (const pair of pairs) checkPair(pair?.base, pair?.head, "test pass rates");
}

/**
 * Smallest correlation between trials of a scenario. It keeps room for scenarios that differ from the others by about 6
 * points, so that a few scenarios with equal pass rates do not make every other rate look impossible.
 */
const LEAST_CORRELATION = 0.02;
const MOST_CORRELATION = 0.5;

/**
 * Fits a beta distribution to the pass rates of all scenarios, by moments. It only uses the passes of base and head
 * together: these totals say nothing about a difference between the runs, so the test stays exact.
 */
function usualRates(pairs: readonly ProportionPair[]): BetaShape {
  const totals = pairs.map(({ base, head }) => ({
    passes: base.passes + head.passes,
    trials: base.trials + head.trials,
  }));
  const trials = totals.reduce((sum, each) => sum + each.trials, 0);
  const mean = (totals.reduce((sum, { passes }) => sum + passes, 0) + 1) / (trials + 2);
  const spread = totals.reduce((sum, each) => sum + each.trials * (each.passes / each.trials - mean) ** 2, 0) / trials;
  const perScenario = trials / totals.length;
  const measured = (spread / (mean * (1 - mean)) - 1 / perScenario) / (1 - 1 / perScenario);
  const correlation = Math.min(MOST_CORRELATION, Math.max(LEAST_CORRELATION, measured));
  const concentration = 1 / correlation - 1;
  return { alpha: mean * concentration, beta: (1 - mean) * concentration };
}

/** How surprising the splits of a scenario's passes are, and how likely they are by chance. */
export interface Surprises {
  /** P-value of `exactTest()` when this many of the passes are the base's. */
  readonly p: (basePasses: number) => number;
  /** Surprise when this many of the passes are the base's. */
  readonly of: (basePasses: number) => number;
  /** The probability that chance gives a split at least this surprising. */
  readonly chanceOf: (surprise: number) => number;
}

/**
 * Measures how much better a split is explained by one run with an unusual pass rate than by two runs with the same
 * rate: the logarithm of the Bayes factor. It never falls when a split becomes less likely by chance.
 *
 * @returns A function of a scenario's trials; only their numbers and the passes of both runs together matter.
 */
function surprisesBy(usual: BetaShape): (pair: ProportionPair) => Surprises {
  const byTrials = new Map<number, readonly number[]>();
  const usually = (trials: number) => {
    const known = byTrials.get(trials) ?? passesOf(trials, usual).probabilities;
    byTrials.set(trials, known);
    return known;
  };
  return (pair) => surprisesOf(pair, usually);
}

function surprisesOf(pair: ProportionPair, usually: (trials: number) => readonly number[]): Surprises {
  const chances = splitsOf(pair);
  const { from, probabilities } = chances;
  const { base, head } = pair;
  const passes = base.passes + head.passes;
  const [usualBase, usualHead] = [usually(base.trials), usually(head.trials)];
  const together = usually(base.trials + head.trials)[passes] ?? 0;
  const splits = probabilities
    .map((chance, index) => {
      const [one = 0, other = 0] = [usualBase[from + index], usualHead[passes - from - index]];
      const changed = (one / (head.trials + 1) + other / (base.trials + 1)) / 2;
      return { index, chance, surprise: Math.log(changed) - Math.log(chance) - Math.log(together) };
    })
    .sort((a, b) => b.chance - a.chance);
  let highest = Number.NEGATIVE_INFINITY;
  const surprises: number[] = [];
  const steps: { readonly surprise: number; chance: number; readonly first: number }[] = [];
  for (const { index, chance, surprise } of splits) {
    const last = steps.at(-1);
    // Splits that are equally likely by chance, such as mirrored ones, get the same surprise.
    if (last && chance >= last.first * (1 - ROUNDING)) last.chance += chance;
    else {
      highest = Math.max(highest, surprise);
      steps.push({ surprise: highest, chance, first: chance });
    }
    surprises[index] = highest;
  }
  return {
    p: (basePasses) => chanceOfSplit(chances, basePasses),
    of: (basePasses) => surprises[basePasses - from] ?? Number.NEGATIVE_INFINITY,
    chanceOf: (surprise) => tailOf(steps, surprise),
  };
}

/** Sums the chances of all steps with at least this surprise; the steps are sorted by rising surprise. */
function tailOf(steps: readonly { readonly surprise: number; readonly chance: number }[], surprise: number): number {
  let sum = 0;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index];
    if (!step || step.surprise < surprise - ROUNDING) break;
    sum += step.chance;
  }
  return sum;
}

/** Probabilities that differ by rounding only are equal. */
const ROUNDING = 1e-7;

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
function chanceOfSplit({ from, probabilities }: Distribution, basePasses: number): number {
  const observed = probabilities[basePasses - from] ?? 0;
  const atMost = observed * (1 + ROUNDING);
  return Math.min(
    1,
    probabilities.reduce((sum, probability) => (probability <= atMost ? sum + probability : sum), 0),
  );
}

/** Probabilities of `from`, `from + 1`, … */
export interface Distribution {
  readonly from: number;
  readonly probabilities: readonly number[];
}

/**
 * The number of passes in the base, if trials are assigned to base and head by chance (hypergeometric).
 */
function splitsOf({ base, head }: ProportionPair): Distribution {
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
function passesOf(trials: number, { alpha, beta }: BetaShape): Distribution {
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
