import { ScenarioError } from "../../base/errors.ts";
import { type CorrectedTest, correctedTests, differenceInterval, wilson } from "../../base/statistics/mod.ts";
import { checkOptions, rule } from "../../base/values/mod.ts";
import type { CriterionCounts, ResultStatus, ScenarioCounts } from "../store/mod.ts";
import { isComparableRun } from "./comparable.ts";
import type {
  ComparableRun,
  ComparedResult,
  ComparedRun,
  CriterionComparison,
  RateChange,
  RateComparison,
  RateSides,
  RunComparison,
  ScenarioComparison,
  SideCounts,
} from "./types.ts";

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

/** Corrected p-values up to this are significant. */
const LEVEL = 0.05;

/** Computes the rates of one run. */
function sideOf(passes: number, trials: number): SideCounts {
  if (trials === 0) return { passes, trials, passRate: null, interval: null };
  return { passes, trials, passRate: passes / trials, interval: wilson(passes, trials) };
}

/**
 * Compares two pass rates.
 *
 * @param test `undefined` when one run has no trials.
 * @param context Words for the reason: `missing` why there is no test, `corrected` what p is corrected for.
 */
function compareRates(
  { base, head }: RateSides,
  test: CorrectedTest | undefined,
  context: { readonly what: string; readonly corrected: string; readonly missing: string },
): RateComparison {
  if (!test || base.passRate === null || head.passRate === null)
    return { base, head, difference: null, p: null, correctedP: null, change: "none", reason: context.missing };
  const value = head.passRate - base.passRate;
  const { p, corrected } = test;
  const isReal = corrected <= LEVEL;
  const change: RateChange = !isReal || value === 0 ? "none" : value < 0 ? "worse" : "better";
  return {
    base,
    head,
    difference: { value, ...differenceInterval(base, head) },
    p,
    correctedP: corrected,
    change,
    reason: rateWords({ base, head }, test, { ...context, isReal }),
  };
}

/** A run with its results counted. */
export interface CountedRun {
  readonly run: ComparedRun;
  readonly scenarios: ReadonlyMap<string, ScenarioCounts>;
}

/** Counts the results and criteria of a run. */
function countRun(compared: ComparableRun): CountedRun {
  const scenarios = "results" in compared ? countResults(compared.results) : compared.scenarios;
  const counts = noCounts();
  for (const each of scenarios)
    for (const status of Object.keys(counts) as ResultStatus[]) counts[status] += each.counts[status]; // the keys of noCounts()
  const named = "run" in compared ? compared.run : { id: compared.id, agent: compared.name, finishedAt: "" };
  return {
    run: { id: named.id, agent: named.agent, finished: named.finishedAt !== null, counts },
    scenarios: new Map(scenarios.map((each) => [each.scenario, each])),
  };
}

function countResults(results: readonly ComparedResult[]): readonly ScenarioCounts[] {
  const found = new Map<string, ComparedResult[]>();
  for (const result of results) {
    const known = found.get(result.scenario);
    if (known) known.push(result);
    else found.set(result.scenario, [result]);
  }
  return [...found].map(([scenario, trials]) => {
    const counts = noCounts();
    for (const { status } of trials) counts[status] += 1;
    return { scenario, counts, criteria: countCriteria(trials) };
  });
}

/** Invalid calls and errors say nothing about the agent; their verdicts are left out. */
function countCriteria(trials: readonly ComparedResult[]): readonly CriterionCounts[] {
  const found = new Map<string, { trials: number; passes: number; agrees: number; score: number }>();
  for (const { status, verdicts = [] } of trials) {
    if (status !== "pass" && status !== "fail") continue;
    for (const { criterion, passed, score } of verdicts) {
      const known = found.get(criterion) ?? { trials: 0, passes: 0, agrees: 0, score: 0 };
      known.trials += 1;
      known.passes += Number(passed);
      known.agrees += Number(passed === (status === "pass"));
      known.score += score;
      found.set(criterion, known);
    }
  }
  return [...found].map(([criterion, { score, ...counted }]) => ({
    criterion,
    ...counted,
    meanScore: score / counted.trials,
  }));
}

function noCounts(): { [Status in ResultStatus]: number } {
  return { pass: 0, fail: 0, error: 0, imported: 0, cancelled: 0, invalid: 0 };
}

/** Describes the change of a pass rate: "the pass rate fell from 36/40 to 24/40: more than noise (p = 0.004, …)". */
function rateWords(
  { base, head }: RateSides,
  { p, corrected }: CorrectedTest,
  { what, corrected: family, isReal }: { readonly what: string; readonly corrected: string; readonly isReal: boolean },
): string {
  const [from, to] = [`${base.passes}/${base.trials}`, `${head.passes}/${head.trials}`];
  const value = head.passes * base.trials - base.passes * head.trials;
  if (value === 0) return `${what} is the same: ${from === to ? from : `${from} and ${to}`}`;
  const moved = `${what} ${value < 0 ? "fell" : "rose"} from ${from} to ${to}`;
  const numbers = family === "" ? `p = ${pWords(p)}` : `p = ${pWords(corrected)}, corrected for ${family}`;
  const alone = !isReal && p <= 0.05 && family !== "" ? `; ${pWords(p)} alone` : "";
  return `${moved}: ${isReal ? "more" : "no more"} than noise (${numbers}${alone})`;
}

/** Formats a p-value with two significant digits, and never as 0. */
function pWords(p: number): string {
  if (p < 0.0001) return "less than 0.0001";
  if (p > 0.99) return "1";
  return String(Number(p.toPrecision(2)));
}

/** "3 scenarios", "1 criterion". */
function pluralCount(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Summarises a comparison in one sentence. */
function summaryWords({
  scenarios,
  worse,
  better,
  onlyInBase,
  onlyInHead,
  untested,
}: Pick<RunComparison, "worse" | "better" | "onlyInBase" | "onlyInHead" | "untested"> & {
  readonly scenarios: readonly ScenarioComparison[];
}): string {
  const count = (names: readonly unknown[]) => pluralCount(names.length, "scenario", "scenarios");
  const parts = [
    ...(worse.length > 0 ? [`${count(worse)} got worse`] : []),
    ...(better.length > 0 ? [`${count(better)} got better`] : []),
    ...(scenarios.length === 0
      ? ["the runs have no scenario in common"]
      : worse.length + better.length === 0
        ? [`no difference in ${count(scenarios)} is more than noise`]
        : [`${count(scenarios)} compared`]),
    ...(untested.length > 0 ? [`${count(untested)} cannot be compared`] : []),
    ...(onlyInBase.length > 0 ? [`${count(onlyInBase)} only in the base`] : []),
    ...(onlyInHead.length > 0 ? [`${count(onlyInHead)} only in the head`] : []),
  ];
  return parts.join(", ");
}
