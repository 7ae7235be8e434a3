import { defined } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { ScenarioSource } from "../../document/scenario/mod.ts";
import type { NewResult, ResultRecord } from "../store/mod.ts";
import type { RunContext } from "./call/mod.ts";
import type { CallFeed, RunOptions, TrialAttempt } from "./options/mod.ts";
import type { TrialPlan } from "./plan/mod.ts";
import {
  describeOptions,
  openTrials,
  type PreparedRun,
  planDocument,
  plansOfShard,
  prepareRun,
  runTrials,
  type Schedule,
} from "./plan/mod.ts";
import { checkSendable, queueSettings, runQueuedCall, variableTypes } from "./queue/mod.ts";
import type { Recorder } from "./recorder.ts";
import type { RunReport } from "./report/mod.ts";
import { startRun } from "./start_run.ts";
import { cancelledResult, runAttempt } from "./trial/mod.ts";

/**
 * Runs the calls of every scenario, several at a time, judges them and stores each result when it is finished. Calls do
 * not wait for the database: results that it does not accept in time go to a spool file, and the report says so.
 *
 * With `repeat.times`, each scenario runs several times, and its `gate` turns the results into one verdict. A call whose
 * model or caller fails ends as `error` with the reason, and the others continue. Results are in the order of the
 * scenarios and of their trials.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario` (also for names that are not in the graph),
 *   `duplicate-scenario`, `invalid-pattern`, `invalid-policy`, before the first call.
 * @throws {CallbackError} `callback-failed` after the run when a listener or clock threw. The results are stored, and
 *   the error's `report` has them.
 * @throws {ModelError} `unknown-model`, `missing-key-variable`, `missing-price`, `recording-unreadable`,
 *   `recording-unwritable`, before the first call. If recordings cannot be written later, the report has a
 *   `recordingsError`.
 * @throws {StoreError} `unknown-run` or `different-plan` for `share.resume` and `share.joinRun`. When the store cannot be opened. If it
 * fails later, the report has a `storeError`.
 * @example
 * ```ts
 * import { flow, run, scenario } from "callweave";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const report = await run(hello, [scenario("greets", hello).says("Good morning").visits("greet")], { store: false });
 * console.log(report.counts);
 * ```
 */
export async function run(
  source: AgentGraph,
  scenarios: readonly ScenarioSource[],
  options: RunOptions = {},
): Promise<RunReport> {
  return await runScenarios(source, scenarios, options);
}

/** Like `run()`, with calls that are not simulated, or with another clock than the machine's. */
export async function runScenarios(
  source: AgentGraph,
  scenarios: readonly ScenarioSource[],
  options: RunOptions,
  context: RunContext = {},
): Promise<RunReport> {
  const { variant } = context;
  const queued = options.share?.queue && queueSettings(options);
  const whole = await prepareRun(source, scenarios, { ...options, ...queued?.standIns }, context);
  const prepared = { ...whole, plans: plansOfShard(whole.plans, options.share?.shard) };
  if (queued) checkSendable(prepared.plans);
  const { plans } = prepared;
  const started = await startRun(prepared, options, {
    kind: variant?.kind ?? "simulated",
    options: { ...describeOptions(options, whole.plans), ...variant?.options },
    plan: planDocument(whole),
    ...defined({ shard: options.share?.shard }),
  });
  const { recorder, setup } = started;
  let feed: CallFeed | undefined;
  try {
    const { signal } = setup;
    const run = { runId: recorder.runId, ...defined({ variables: variableTypes(setup.graph) }), signal };
    if (queued) feed = await options.share?.queue?.feed({ ...run, settings: queued.settings });
    const { results, storedResults, durationMs } = await runCalls({ ...prepared, setup }, recorder, feed);
    const planned = plans.map(({ resolved, ...plan }) => ({ ...plan, scenario: resolved.scenario.name }));
    return await started.report({ results, planned, storedCount: storedResults.length, durationMs });
  } finally {
    try {
      await feed?.close();
    } finally {
      await started.close();
    }
  }
}

/** Runs all calls and records each result. */
export async function runCalls(
  { plans, setup, stop, schedule: local, listeners }: PreparedRun,
  recorder: Recorder,
  feed?: CallFeed,
) {
  const started = performance.now();
  const names = plans.map(({ resolved }) => resolved.scenario.name);
  const storedResults = recorder.storedResults.filter(({ scenario }) => names.includes(scenario));
  const planned = plans.map((plan) => ({ name: plan.resolved.scenario.name, calls: openTrials(plan, storedResults) }));
  listeners.onProgress?.({ kind: "run-start", id: recorder.runId, scenarios: planned });
  const { concurrency } = setup.options.limits ?? {};
  const isLimited = !feed || typeof concurrency === "number"; // a queue takes all calls
  const schedule: Schedule = isLimited ? local : (task) => task();
  let durationMs = 0;
  const sequential = new Set(plans.flatMap((plan) => (plan.sequential ? [plan.resolved.scenario.name] : [])));
  const runCall = async (plan: TrialPlan, slot: TrialAttempt): Promise<NewResult | undefined> => {
    if (feed) return await runQueuedCall(plan, slot, { feed, setup, find: recorder.find });
    if (setup.signal.aborted) return cancelledResult(slot, setup.now());
    listeners.onProgress?.({ kind: "call-start", ...slot });
    return await runAttempt(plan.resolved, setup, slot);
  };
  const added = await runTrials(plans, {
    storedTrials: storedResults,
    schedule,
    runCall,
    take: async (taken, verdict) => {
      stop.onResult(taken, verdict);
      if (verdict !== "undecided" && sequential.has(taken.scenario)) feed?.drop(taken.scenario);
      durationMs = performance.now() - started;
      const { result, place } = await recorder.add(taken);
      const { scenario, trial = 1, attempt = 1 } = taken;
      listeners.onResult?.({ result, place });
      listeners.onProgress?.({ kind: "call-end", scenario, trial, attempt, result });
      return result;
    },
  });
  return { results: inOrder([...storedResults, ...added], names), storedResults, durationMs };
}

/** Sorts results by scenario, trial and attempt. One that another process has stored meanwhile is listed once. */
function inOrder(results: readonly ResultRecord[], names: readonly string[]): readonly ResultRecord[] {
  const places = new Map(names.map((name, index) => [name, index]));
  const placeOf = ({ scenario }: ResultRecord) => places.get(scenario) ?? names.length;
  return [...new Map(results.map((result) => [result.id, result])).values()].sort(
    (a, b) => placeOf(a) - placeOf(b) || a.trial - b.trial || (a.attempt ?? 1) - (b.attempt ?? 1),
  );
}
