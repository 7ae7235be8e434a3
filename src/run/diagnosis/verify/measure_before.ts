import { ScenarioError } from "../../../base/errors.ts";
import { DEFAULT_GATE } from "../../../base/statistics/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import { plannedIn, summarise } from "../../summary/mod.ts";
import type { FailedResult } from "../types.ts";
import type { Limiter } from "./limits.ts";
import { type Bench, countedTrials, reusableScenarios } from "./trials.ts";
import type { MeasuredTrials, RepairOptions } from "./types.ts";
import type { PassingScenario } from "./verify_change.ts";

/** Start of error messages. */
export const ACTION = "Cannot repair an agent";

/** Values that the steps of a repair share. */
export interface Session {
  readonly result: FailedResult;
  readonly graph: AgentGraph;
  readonly failing: Scenario;
  readonly scenarios: readonly Scenario[];
  readonly options: RepairOptions;
  readonly model: NonNullable<RepairOptions["model"]>;
  readonly repeats: number;
  readonly limiter: Limiter;
  readonly bench: Bench;
}

/** Measurements of the unchanged graph. */
export interface Measured {
  readonly before: MeasuredTrials;
  readonly passing: readonly PassingScenario[];
}

/** Uses the trials of the stored run if there are enough of them, else runs the failing scenario. */
export async function measureBefore({
  graph,
  failing,
  scenarios,
  options,
  repeats,
  bench,
}: Session): Promise<Measured> {
  const { run: stored, runOptions = {} } = options;
  if (!stored) {
    const report = await bench.run(graph, scenarios, "before");
    const passing = report.scenarios.flatMap(({ scenario: name, verdict }): PassingScenario[] => {
      if (verdict !== "pass" || name === failing.name) return [];
      const results = report.results.filter(({ scenario }) => scenario === name);
      const before = countedTrials(name, report);
      return [{ scenario: scenarioOf(name, scenarios), gate: DEFAULT_GATE, results, before }];
    });
    return { before: countedTrials(failing.name, report), passing };
  }
  const known = { id: stored.run.id, results: stored.results };
  const reusable = await reusableScenarios(graph, scenarios, stored, runOptions);
  const enough = (name: string) => {
    const trials = countedTrials(name, known);
    return reusable.has(name) && trials.trials >= repeats ? trials : undefined;
  };
  const passing = passedIn(options)
    .filter(({ name }) => name !== failing.name)
    .map(({ name, gate }): PassingScenario => {
      const results = stored.results.filter(({ scenario }) => scenario === name);
      return { scenario: scenarioOf(name, scenarios), gate, results, before: enough(name) };
    });
  const before = enough(failing.name) ?? countedTrials(failing.name, await bench.run(graph, [failing], "before"));
  return { before, passing };
}

/** The scenarios of the run whose gate passed. */
export function passedIn({ run: stored }: RepairOptions) {
  if (!stored) return [];
  const summaries = summarise(plannedIn(stored.run, stored.results), stored.results);
  return summaries.flatMap(({ scenario: name, verdict, gate }) => (verdict === "pass" ? [{ name, gate }] : []));
}

/** @throws {ScenarioError} `unknown-scenario`. */
export function scenarioOf(name: string, scenarios: readonly Scenario[]): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found) return found;
  const known = scenarios.map((scenario) => `"${scenario.name}"`).join(", ") || "none";
  throw new ScenarioError(`${ACTION}: the scenario "${name}" of the run is not among the scenarios (${known})`, {
    code: "unknown-scenario",
    path: ["scenarios"],
    hint: "Pass all scenarios of the run, or run the existing ones again",
  });
}
