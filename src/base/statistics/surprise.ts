import { type BetaShape, passesOf, splitsOf } from "./distributions.ts";
import { chanceOfSplit, ROUNDING } from "./exact_test.ts";
import type { ProportionPair } from "./proportions.ts";

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
export function usualRates(pairs: readonly ProportionPair[]): BetaShape {
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
export function surprisesBy(usual: BetaShape): (pair: ProportionPair) => Surprises {
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
