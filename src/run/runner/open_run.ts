import { ScenarioError } from "../../base/errors.ts";
import { defined } from "../../base/values/mod.ts";
import type { AgentConnection } from "../../call/connection/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { ScenarioSource } from "../../document/scenario/mod.ts";
import type { ResultRecord } from "../store/mod.ts";
import { type ScenarioSummary, summarise } from "../summary/mod.ts";
import type { RunEvent, RunOptions } from "./options.ts";
import type { TrialPlan } from "./plan/mod.ts";
import { describeConnection, describeOptions, planDocument, prepareRun, sourceParts } from "./plan/mod.ts";
import type { RunReport } from "./report.ts";
import { plannedOf, runCalls, startRun } from "./run.ts";

/** A scenario's calls in an open run. */
export interface ScenarioRun {
  readonly summary: ScenarioSummary;
  readonly results: readonly ResultRecord[];
}

/** A run that executes scenarios one by one, on request. */
export interface OpenRun {
  readonly id: string;
  /**
   * Runs the calls of a scenario and stores the results.
   *
   * @param signal Ends the calls of this scenario as `cancelled`.
   */
  runScenario(scenario: string, signal?: AbortSignal): Promise<ScenarioRun>;
  /** Finishes the run with the scenarios that have run, and closes its store. */
  finish(): Promise<RunReport>;
}

/**
 * Opens a run for a test runner or another program that decides itself which scenarios to run, and when. Their calls
 * share models, limits, recordings and the store. A connection in place of the graph holds them with an agent where it
 * runs. `finish()` reports on the scenarios that have run; always call it.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario`, `duplicate-scenario`, `invalid-pattern`,
 *   `invalid-policy`.
 * @throws {ModelError} `unknown-model`, `missing-key-variable`, `missing-price`, `recording-unreadable`.
 * @throws {StoreError} When the store cannot be opened.
 * @example
 * ```ts
 * import { flow, scenario } from "callweave";
 * import { openRun } from "callweave/calls";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const open = await openRun(hello, [scenario("greets", hello).says("Hi").visits("greet")], { store: false });
 * const { summary } = await open.runScenario("greets");
 * const report = await open.finish();
 * console.log(summary.verdict, report.passed);
 * ```
 */
export async function openRun(
  source: AgentGraph | AgentConnection,
  scenarios: readonly ScenarioSource[],
  given: RunOptions,
): Promise<OpenRun> {
  const { graph, options, context } = await sourceParts(source, given);
  const prepared = await prepareRun(graph, scenarios, options, context);
  const { listeners } = prepared;
  const run = await startRun(prepared, options, {
    kind: "simulated",
    options: {
      ...describeOptions(options, prepared.plans),
      ...defined({ connection: describeConnection(context.connected) }),
    },
    plan: planDocument(prepared),
  });
  const { recorder, setup } = run;
  const runs = new Map<string, ScenarioRun & { readonly plan: TrialPlan; readonly storedCount: number }>();
  const quiet = {
    ...listeners,
    ...defined({ onProgress: listeners.onProgress && withoutStart(listeners.onProgress) }),
  };
  const started = performance.now();
  return {
    id: recorder.runId,
    runScenario: async (scenario, signal) => {
      const plan = prepared.plans.find(({ resolved }) => resolved.scenario.name === scenario);
      if (!plan) throw unknownScenario(scenario);
      const signals = [setup.signal, ...(signal ? [signal] : [])];
      const own = { ...setup, signal: AbortSignal.any(signals) };
      const { results, storedResults } = await runCalls(
        { ...prepared, plans: [plan], setup: own, listeners: quiet },
        recorder,
      );
      const [summary] = summarise([plannedOf(plan)], results);
      if (!summary) throw new TypeError("unreachable: one scenario has one summary");
      runs.set(scenario, { summary, results, plan, storedCount: storedResults.length });
      return { summary, results };
    },
    finish: async () => {
      const durationMs = performance.now() - started;
      try {
        const all = prepared.plans.flatMap(({ resolved }) => runs.get(resolved.scenario.name) ?? []);
        const storedCount = all.reduce((sum, each) => sum + each.storedCount, 0);
        const planned = all.map(({ plan }) => plannedOf(plan));
        return await run.report({ results: all.flatMap((each) => each.results), planned, storedCount, durationMs });
      } finally {
        await run.close();
      }
    },
  };
}

/** Drops `run-start`, which each scenario would report again. */
function withoutStart(onProgress: (event: RunEvent) => void): (event: RunEvent) => void {
  return (event) => {
    if (event.kind !== "run-start") onProgress(event);
  };
}

function unknownScenario(name: string): ScenarioError {
  return new ScenarioError(`Cannot run scenario "${name}": the run has none of this name`, {
    code: "invalid-scenario",
    hint: "Name a scenario that the run was opened with",
  });
}
