import type { CriterionCounts, ResultStatus, ScenarioCounts } from "../store/mod.ts";
import type { ComparableRun, ComparedResult, ComparedRun } from "./types.ts";

/** A run with its results counted. */
export interface CountedRun {
  readonly run: ComparedRun;
  readonly scenarios: ReadonlyMap<string, ScenarioCounts>;
}

/** Counts the results and criteria of a run. */
export function countRun(compared: ComparableRun): CountedRun {
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
