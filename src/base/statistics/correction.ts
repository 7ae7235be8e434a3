import { rule } from "../values/mod.ts";
import { checkNumbers } from "./checked.ts";
import { exactTest } from "./exact_test.ts";
import { checkPair, type ProportionPair } from "./proportions.ts";
import { type Surprises, surprisesBy, usualRates } from "./surprise.ts";

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
