import { createRandom } from "../values/mod.ts";

/** Settings of {@link testDrop}. */
export interface DropOptions {
  /** Index of the first outcome at which a drop counts. */
  readonly from: number;
  /** Least number of outcomes before a drop, and after it. */
  readonly minimum: number;
  /** Number of shuffles; the smallest p-value is one divided by this number and one. */
  readonly shuffles: number;
  /** The same seed gives the same p-value on every machine. */
  readonly seed: string;
}

/** Whether, and where, the rate of a series of outcomes fell. */
export interface DropTest {
  /** How often a shuffled series has as clear a drop. Small values say that the rate fell. */
  readonly p: number;
  /** Index of the first outcome after the clearest drop; `null` if the rate falls nowhere. */
  readonly at: number | null;
}

/** Shuffled series as clear as the given one that end the test early: its p-value is large, and known well enough. */
const ENOUGH = 15;
/** Logarithms that differ by rounding only are equal, on runtimes with different ones too. */
const ROUNDING = 1e-9;

/**
 * Tests whether the rate of passed outcomes fell: each place from `from` on is tried as the start of a lower rate, and the
 * clearest is compared with that of shuffled series. The p-value allows for the number of places: if nothing has changed,
 * a p-value of at most 0.01 occurs in at most 1 % of all series.
 *
 * @param outcomes In the order of their times; `true` is passed.
 * @see D. V. Hinkley, E. A. Hinkley, Inference about the change-point in a sequence of binomial variables, Biometrika 57
 *   (1970), for the likelihood ratio.
 * @see J. Besag, P. Clifford, Sequential Monte Carlo p-values, Biometrika 78 (1991), for ending the shuffles early.
 */
export function testDrop(outcomes: readonly boolean[], { from, minimum, shuffles, seed }: DropOptions): DropTest {
  const total = outcomes.length;
  const passes = outcomes.filter(Boolean).length;
  const scan = scanFor(total, passes, { first: Math.max(from, minimum), minimum });
  const { ratio, at } = scan((place) => outcomes[place] === true);
  if (at === null) return { p: 1, at };
  const random = createRandom(seed);
  let asClear = 0;
  for (let shuffle = 1; shuffle <= shuffles; shuffle++) {
    let left = passes; // passes among the outcomes before the place
    const shuffled = scan((place) => {
      const isPass = random() * (place + 1) < left;
      if (isPass) left--;
      return isPass;
    });
    if (shuffled.ratio >= ratio - ROUNDING) asClear++;
    if (asClear === ENOUGH) return { p: ENOUGH / shuffle, at };
  }
  return { p: (asClear + 1) / (shuffles + 1), at };
}

/** The clearest drop of a series, and the logarithm of its likelihood ratio; 0 if the rate falls nowhere. */
interface Drop {
  readonly ratio: number;
  readonly at: number | null;
}

/** Returns a function that finds the clearest drop, and asks for outcomes from the last one backwards. */
function scanFor(
  total: number,
  passes: number,
  { first, minimum }: { readonly first: number; readonly minimum: number },
): (passed: (place: number) => boolean) => Drop {
  // n log n of the whole numbers: the likelihood of a rate of k of n is made of three of them
  const logs = Float64Array.from({ length: total + 1 }, (_, count) => (count === 0 ? 0 : count * Math.log(count)));
  const likelihood = (passed: number, count: number) =>
    (logs[passed] ?? 0) + (logs[count - passed] ?? 0) - (logs[count] ?? 0);
  const together = likelihood(passes, total);
  return (passed) => {
    let ratio = 0;
    let at: number | null = null;
    let after = 0;
    for (let place = total - 1; place >= first; place--) {
      if (passed(place)) after++;
      const [count, before] = [total - place, passes - after];
      if (count < minimum || before * count <= after * place) continue;
      const own = likelihood(before, place) + likelihood(after, count) - together;
      if (own > ratio + ROUNDING) [ratio, at] = [own, place];
    }
    return { ratio, at };
  };
}

/**
 * Corrects p-values for their number: if only those with a corrected value of at most 0.05 are called changes, at most
 * 5 % of all lists without a change have one. At least each p-value, and at most 1.
 *
 * @see S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).
 */
export function holm(values: readonly number[]): readonly number[] {
  const corrected: number[] = [];
  let highest = 0;
  for (const [rank, { p, index }] of values
    .map((p, index) => ({ p, index }))
    .sort((a, b) => a.p - b.p)
    .entries()) {
    highest = Math.max(highest, Math.min(1, p * (values.length - rank)));
    corrected[index] = highest;
  }
  return corrected;
}
