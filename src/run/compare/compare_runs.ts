import { ScenarioError } from "../../base/errors.ts";
import { type CorrectedTest, correctedTests } from "../../base/statistics/mod.ts";
import { checkOptions, rule } from "../../base/values/mod.ts";
import type { CriterionCounts, ScenarioCounts } from "../store/mod.ts";
import { isComparableRun } from "./comparable.ts";
import { compareRates, sideOf } from "./compare_rates.ts";
import { countRun } from "./count_run.ts";
import type { ComparableRun, CriterionComparison, RateSides, RunComparison, ScenarioComparison } from "./types.ts";
import { pluralCount, summaryWords } from "./words.ts";

/**
 * Share of the 5 % significance level for criteria. Equal runs differ in their pass rates in less than 4 % of
 * comparisons, so both together stay within 5 %.
 */
const SHARE_OF_CRITERIA = 1 / 4;

/**
 * Compares two runs: what improved or got worse in each scenario and criterion, and whether that is more than noise.
 *
 * Pass rates are compared by Fisher's exact test, corrected for the number of scenarios: comparing runs of the same
 * agent names a changed scenario in at most one of twenty comparisons. Trials with errors and invalid ones are left out. A criterion that
 * decided every trial alone has the p-value of its scenario.
 *
 * @param base The earlier run: from `showRun()`, or a report of `run()`.
 * @param head The run to compare with it.
 * @throws {ScenarioError} `invalid-option`.
 * @example
 * ```ts
 * import { flow, run, scenario } from "callweave";
 * import { compareRuns } from "callweave/statistics";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const runAgain = () => run(hello, [scenario("greets", hello).says("Hello").visits("greet")], { store: false });
 * const { summary } = compareRuns(await runAgain(), await runAgain());
 * ```
 */
export function compareRuns(base: ComparableRun, head: ComparableRun): RunComparison {
  const comparable = rule("a stored run or a report, with results", isComparableRun);
  checkOptions(
    { base: base ?? null, head: head ?? null },
    { base: comparable, head: comparable },
    ScenarioError,
    "Cannot compare runs",
  );
  const [from, to] = [countRun(base), countRun(head)];
  const pairs = [...to.scenarios.values()].flatMap((after) => {
    const before = from.scenarios.get(after.scenario);
    return before ? [pairOf(before, after)] : [];
  });
  const rates = testAll(pairs.map(({ sides }) => sides));
  const criteria = pairs.flatMap((pair) => pair.criteria);
  const separate = criteria.filter(({ decides }) => !decides);
  const judged = new Map(testAll(separate.map(({ sides }) => sides)).map((test, index) => [separate[index], test]));
  const tests = { scenarios: rates.filter(Boolean).length, criteria: [...judged.values()].filter(Boolean).length };
  const scenarios = pairs.map((pair, index): ScenarioComparison => {
    const missing = `not compared: ${missingWords(pair)}`;
    const corrected = tests.scenarios > 1 ? pluralCount(tests.scenarios, "scenario", "scenarios") : "";
    const rate = compareRates(pair.sides, rates[index], { what: "the pass rate", corrected, missing });
    const compared = pair.criteria.map((each): CriterionComparison => {
      const test = each.decides ? rates[index] : weighted(judged.get(each));
      const family = each.decides ? corrected : pluralCount(tests.criteria, "criterion", "criteria");
      const words = { what: `"${each.criterion}"`, corrected: family, missing: "not judged in both runs" };
      return { criterion: each.criterion, meanScore: each.meanScore, ...compareRates(each.sides, test, words) };
    });
    return { scenario: pair.scenario, ...rate, criteria: compared };
  });
  const named = (change: "worse" | "better") =>
    scenarios
      .filter((each) => each.change === change || each.criteria.some((one) => one.change === change))
      .map(({ scenario }) => scenario);
  const lists = {
    onlyInBase: [...from.scenarios.keys()].filter((name) => !to.scenarios.has(name)),
    onlyInHead: [...to.scenarios.keys()].filter((name) => !from.scenarios.has(name)),
    untested: scenarios.filter(({ p }) => p === null).map(({ scenario }) => scenario),
    worse: named("worse"),
    better: named("better"),
  };
  return { base: from.run, head: to.run, scenarios, ...lists, tests, summary: summaryWords({ scenarios, ...lists }) };
}

/** A scenario that both runs have. */
interface Pair {
  readonly scenario: string;
  readonly before: ScenarioCounts;
  readonly after: ScenarioCounts;
  readonly sides: RateSides;
  readonly criteria: readonly {
    readonly criterion: string;
    readonly sides: RateSides;
    /** Whether each trial passed exactly when the criterion did. */
    readonly decides: boolean;
    readonly meanScore: CriterionComparison["meanScore"];
  }[];
}

function pairOf(before: ScenarioCounts, after: ScenarioCounts): Pair {
  const rate = ({ counts }: ScenarioCounts) => sideOf(counts.pass, counts.pass + counts.fail);
  const sides = { base: rate(before), head: rate(after) };
  const decides = ({ agrees, trials }: CriterionCounts, { counts }: ScenarioCounts) =>
    agrees === trials && trials === counts.pass + counts.fail;
  const earlier = new Map(before.criteria.map((each) => [each.criterion, each]));
  const criteria = after.criteria.flatMap((one) => {
    const other = earlier.get(one.criterion);
    if (!other) return [];
    return [
      {
        criterion: one.criterion,
        sides: { base: sideOf(other.passes, other.trials), head: sideOf(one.passes, one.trials) },
        decides: decides(other, before) && decides(one, after),
        meanScore: { base: other.meanScore, head: one.meanScore },
      },
    ];
  });
  return { scenario: after.scenario, before, after, sides, criteria };
}

/** Tests all pairs that have trials in both runs, as one family. */
function testAll(sides: readonly RateSides[]): readonly (CorrectedTest | undefined)[] {
  const testable = sides.filter(({ base, head }) => base.trials > 0 && head.trials > 0);
  const tests = new Map(correctedTests(testable).map((test, index) => [testable[index], test]));
  return sides.map((each) => tests.get(each));
}

function weighted(test: CorrectedTest | undefined): CorrectedTest | undefined {
  return test && { ...test, corrected: Math.min(1, test.corrected / SHARE_OF_CRITERIA) };
}

function missingWords({ before, after, sides }: Pair): string {
  const empty = [
    ...(sides.base.trials === 0 ? [{ run: "base", counts: before.counts }] : []),
    ...(sides.head.trials === 0 ? [{ run: "head", counts: after.counts }] : []),
  ];
  return empty
    .map(({ run, counts }) => {
      const found = Object.entries(counts).filter(([, count]) => count > 0);
      return `no trial of the ${run} passed or failed (${found.map(([status, count]) => `${count} ${status}`).join(", ")})`;
    })
    .join(", ");
}
