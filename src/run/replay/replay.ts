import { StoreError } from "../../base/errors.ts";
import { defined, groupBy } from "../../base/values/mod.ts";
import { type AgentGraph, agentName } from "../../document/graph/mod.ts";
import { type Scenario, toScenario, toScenarios } from "../../document/scenario/mod.ts";
import { type ReplayedCall, type RunOptions, type RunReport, runScenarios } from "../runner/mod.ts";
import { openStore, type Store, type StoredRun } from "../store/mod.ts";
import { createComparison } from "./compare/mod.ts";
import { checkReplayOptions, checkReplaySource, type ReplayOptions } from "./options.ts";
import { recordedSettings } from "./recorded_settings.ts";
import { recordingOf, type StoredCall } from "./recording.ts";
import { replayedCall } from "./replayed_call.ts";
import { selectResults } from "./select_results.ts";

/**
 * Runs the calls of a stored run again with the current graph: the caller says the recorded words, and tools return the
 * recorded results. Finds differences in path, extracted values, tools or ending. The first difference comes
 * first, with its node, turn and transition, and the reasons of both calls.
 *
 * Simulated and imported runs can be replayed; of imported calls, only what their platform recorded is compared. The
 * result is a run of kind `replay`. Each call has the scenario and trial of its recording, and a `replay` with the
 * differences: `pass` without any, else `fail`.
 *
 * @param source A stored run, or the id or unique prefix of one.
 * @param graph The current graph. Default: the graph stored with the run.
 * @throws {ScenarioError} `invalid-option`; also if there is no call to replay.
 * @throws {StoreError} `unknown-run`, `store-failed`; `invalid-option` for an id without a store.
 * @throws What `run()` throws.
 * @example
 * ```ts
 * import { flow, openStore, run, scenario } from "callweave";
 * import { replay } from "callweave/calls";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const store = await openStore(":memory:");
 * const { id } = await run(hello, [scenario("greets", hello).says("Good morning").visits("greet")], { store });
 * const report = await replay(id, hello, { store });
 * console.log(report.results[0]?.replay?.divergences);
 * await store.close();
 * ```
 */
export async function replay(
  source: StoredRun | string,
  graph?: AgentGraph,
  options: ReplayOptions = {},
): Promise<RunReport> {
  checkReplaySource(source);
  checkReplayOptions(options);
  const { store: target } = options;
  if (typeof source !== "string") return await replayRun(source, graph, options, target);
  if (target === false) throw withoutStore(source);
  if (typeof target === "object") return await replayRun(await target.showRun(source), graph, options, target);
  await using store = await openStore(target);
  return await replayRun(await store.showRun(source), graph, options, store);
}

async function replayRun(
  stored: StoredRun,
  graph: AgentGraph | undefined,
  options: ReplayOptions,
  store: Store | string | false | undefined,
): Promise<RunReport> {
  const {
    mode = "strict",
    unmatchedTools = "mocks",
    scenarios = [],
    judge = false,
    only,
    statuses,
    ...shared
  } = options;
  const today = graph ?? stored.graph;
  const results = selectResults(stored, defined({ only, statuses }));
  const recordings = groupBy(
    results.map((result) => recordingOf(result, stored.graph)),
    ({ result }) => result.scenario,
  );
  const known = new Map(toScenarios(scenarios).map((scenario) => [scenario.name, scenario]));
  const documents = [...recordings].map(([name, { length }]) => scenarioFor(name, length, known.get(name), judge));
  const compare = createComparison(today, mode);
  const recordingAt = (scenario: string, trial: number): StoredCall => {
    const found = recordings.get(scenario)?.[trial - 1];
    if (!found) throw new TypeError("unreachable: each trial has a recording");
    return found;
  };
  const recorded = recordedSettings(stored.run.options);
  const runOptions: RunOptions = {
    ...recorded,
    ...shared,
    limits: { ...recorded.limits, ...shared.limits },
    judging: { ...shared.judging, ...(judge ? {} : { metrics: [] }) },
    ...defined({ store }),
    name: options.name ?? agentName(today) ?? stored.run.agent,
  };
  return await runScenarios(today, documents, runOptions, {
    variant: {
      kind: "replay",
      options: { replay: { of: stored.run.id, mode, unmatchedTools } },
      isJudged: judge,
      callOf: ({ scenario, trial }): ReplayedCall =>
        replayedCall(recordingAt(scenario, trial), {
          mode,
          unmatchedTools,
          compare,
          maxTurns: options.limits?.maxTurns,
        }),
    },
  });
}

/** The scenario of a recording without its caller and, if it is not judged, without its expectations. */
function scenarioFor(name: string, repeat: number, known: Scenario | undefined, isJudged: boolean): Scenario {
  const { tool_mocks, llm_model } = known ?? toScenario({ name });
  const kept =
    isJudged && known ? { ...known, user_prompt: "", says: [] } : toScenario({ name, tool_mocks, llm_model });
  return { ...kept, dynamic_variables: {}, repeat, gate: { pass_all: true }, max_turns: null };
}

function withoutStore(id: string): StoreError {
  return new StoreError(`Cannot replay run "${id}": store is false`, {
    code: "invalid-option",
    path: ["store"],
    hint: "Pass the run itself, or the store that has it",
  });
}
