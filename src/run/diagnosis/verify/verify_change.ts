import { affectedScenarios, diffGraphs } from "../../../agent/analysis/mod.ts";
import { decideGate, exactTest, type Gate, type Proportion } from "../../../base/statistics/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import type { ResultRecord } from "../../store/mod.ts";
import { type Bench, countedTrials } from "./trials.ts";
import type { AffectedComparison, FailingComparison, MeasuredTrials } from "./types.ts";

/** A scenario that passed before the change. */
export interface PassingScenario {
  readonly scenario: Scenario;
  readonly gate: Gate;
  /** Its results on the unchanged graph, with the nodes that they visited. */
  readonly results: readonly ResultRecord[];
  /** Its trials on the unchanged graph, if there are enough to compare with. */
  readonly before: MeasuredTrials | undefined;
}

/** The inputs of a measurement. */
export interface Verification {
  readonly graph: AgentGraph;
  readonly failing: Scenario;
  readonly before: MeasuredTrials;
  readonly passing: readonly PassingScenario[];
  readonly repeats: number;
  readonly bench: Bench;
  /** Maximum number of changes to try. */
  readonly maxIterations: number;
}

/** The verdict on a changed graph; `accepted` is `undefined` if it could not be measured. */
export interface Verified {
  readonly accepted: boolean | undefined;
  readonly reason: string;
  readonly failing: FailingComparison | null;
  readonly affected: readonly AffectedComparison[];
}

/**
 * Measures a changed graph: first the failing scenario; if it has improved beyond noise, also every passing scenario
 * whose calls visited the change.
 */
export async function verifyChange(changed: AgentGraph, verification: Verification): Promise<Verified> {
  const { graph, failing, before, passing, repeats, bench, maxIterations } = verification;
  const report = await bench.run(changed, [failing], "failing");
  const after = countedTrials(failing.name, report);
  if (after.trials < repeats) return unmeasured(failing.name, after, repeats, report.results);
  const tested = testChange(before, after, maxIterations);
  const better = isImproved(before, after, maxIterations);
  const compared: FailingComparison = { scenario: failing.name, before, after, ...tested, isImproved: better };
  if (!better) {
    const reason = `"${failing.name}" passed ${share(after)} with the change and ${share(before)} without: ${
      after.passes / after.trials > before.passes / before.trials ? "that may be noise" : "it did not improve"
    } (p ${rounded(tested.corrected)})`;
    return { accepted: false, reason, failing: compared, affected: [] };
  }
  const changes = diffGraphs(graph, changed);
  const met = affectedScenarios(
    changes,
    passing.flatMap(({ results }) => results),
  ).map(({ scenario }) => scenario);
  const concerned = passing.filter(({ scenario }) => met.includes(scenario.name));
  if (concerned.length === 0) {
    const reason = `${improved(compared)}; no passing scenario visits the change`;
    return { accepted: true, reason, failing: compared, affected: [] };
  }
  return await compareAffected(changed, concerned, compared, verification);
}

/** Compares the passing scenarios that visit the change. Those that pass every trial need no further measurement. */
async function compareAffected(
  changed: AgentGraph,
  concerned: readonly PassingScenario[],
  compared: FailingComparison,
  { graph, repeats, bench }: Verification,
): Promise<Verified> {
  const scenarios = concerned.map(({ scenario }) => scenario);
  const report = await bench.run(changed, scenarios, "affected");
  const afters = new Map(scenarios.map(({ name }) => [name, countedTrials(name, report)]));
  for (const [name, after] of afters)
    if (after.trials < repeats) return unmeasured(name, after, repeats, report.results, compared);
  const open = concerned.filter(({ scenario: { name }, before }) => {
    const after = afters.get(name);
    return before === undefined && after !== undefined && after.passes < after.trials;
  });
  const unchanged =
    open.length === 0
      ? undefined
      : await bench.run(
          graph,
          open.map(({ scenario }) => scenario),
          "before",
        );
  const affected: AffectedComparison[] = [];
  for (const { scenario, gate, before: known } of concerned) {
    const after = afters.get(scenario.name) ?? { passes: 0, trials: 0, runId: report.id };
    const isMeasured = unchanged && open.some((each) => each.scenario.name === scenario.name);
    const before = isMeasured ? countedTrials(scenario.name, unchanged) : (known ?? null);
    if (isMeasured && before && before.trials < repeats)
      return unmeasured(scenario.name, before, repeats, unchanged.results, compared);
    const worse = before !== null && isWorse(before, after, gate);
    affected.push({ scenario: scenario.name, before, after, gate, isWorse: worse });
  }
  const worse = affected.filter((each) => each.isWorse);
  if (worse.length === 0) {
    const others =
      affected.length === 1
        ? "the one passing scenario that visits the change did not get worse"
        : `none of the ${affected.length} passing scenarios that visit the change got worse`;
    return {
      accepted: true,
      reason: `${improved(compared)}; ${others}`,
      failing: compared,
      affected,
    };
  }
  const broken = worse.map(
    ({ scenario, before, after }) =>
      `"${scenario}" passed ${share(after)} with the change and ${before ? share(before) : "always"} without`,
  );
  return { accepted: false, reason: `it breaks what worked: ${broken.join("; ")}`, failing: compared, affected };
}

function improved({ scenario, before, after, corrected }: FailingComparison): string {
  return `"${scenario}" passed ${share(after)} with the change and ${share(before)} without (p ${rounded(corrected)})`;
}

function unmeasured(
  name: string,
  { trials }: MeasuredTrials,
  repeats: number,
  results: readonly ResultRecord[],
  failing: FailingComparison | null = null,
): Verified {
  const error = results.find(({ scenario, errorMessage }) => scenario === name && errorMessage)?.errorMessage;
  const why = error ? `: ${error}` : "";
  const reason = `only ${trials} of ${repeats} calls of "${name}" came to a verdict${why}`;
  return { accepted: undefined, reason, failing, affected: [] };
}

/** `6 of 8 calls`. */
export function share({ passes, trials }: { readonly passes: number; readonly trials: number }): string {
  return `${passes} of ${trials} calls`;
}

function rounded(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

/** Significance level: changes with a higher p-value count as noise. */
const NOISE = 0.05;
/** How the trials of a scenario differ before and after a change. */
export interface TestedChange {
  /** p-value of Fisher's exact test, two-sided. */
  readonly p: number;
  /** The p-value times the number of attempts (Bonferroni), at most 1: with several attempts, one may look good by chance. */
  readonly corrected: number;
}

/**
 * Tests whether the failing scenario has changed.
 *
 * @param tries Maximum number of changes to try.
 */
function testChange(before: Proportion, after: Proportion, tries: number): TestedChange {
  const p = exactTest(before, after);
  return { p, corrected: Math.min(1, p * tries) };
}

/** Whether the failing scenario has improved beyond noise. */
export function isImproved(before: Proportion, after: Proportion, tries: number): boolean {
  const isHigher = after.passes / after.trials > before.passes / before.trials;
  return isHigher && testChange(before, after, tries).corrected < NOISE;
}

/**
 * Whether a passing scenario got worse: its pass rate fell beyond noise, or its gate fails although the unchanged
 * graph, run as often, passes it. Each scenario is tested separately, without a correction: a change that may have
 * broken one is rejected.
 */
function isWorse(before: Proportion, after: Proportion, gate: Gate): boolean {
  const passesGate = ({ passes, trials }: Proportion) =>
    decideGate(gate, { passes, fails: trials - passes, planned: trials }) === "pass";
  if (passesGate(before) && !passesGate(after)) return true;
  return after.passes / after.trials < before.passes / before.trials && exactTest(before, after) < NOISE;
}
