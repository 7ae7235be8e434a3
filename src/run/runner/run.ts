import { StoreError } from "../../base/errors.ts";
import { defined, madeOnce, wordsWithHint } from "../../base/values/mod.ts";
import type { AgentConnection } from "../../call/connection/mod.ts";
import { type ModelReference, type Models, modelName, type Recordings } from "../../call/models/mod.ts";
import { startTelemetry } from "../../call/telemetry/mod.ts";
import { type AgentGraph, agentName } from "../../document/graph/mod.ts";
import { judgedReplyRules, type ScenarioSource } from "../../document/scenario/mod.ts";
import type { ModelNames, NewResult, ResultRecord } from "../store/mod.ts";
import type { PlannedScenario } from "../summary/mod.ts";
import type { RunContext, RunSetup } from "./call/mod.ts";
import { type CallFeed, DEFAULT_TURN_TIMEOUT_MS, type RunOptions, type TrialAttempt } from "./options.ts";
import {
  describeConnection,
  describeOptions,
  functionsOf,
  openTrials,
  type PreparedRun,
  planDocument,
  plansOfShard,
  prepareRun,
  runTrials,
  type Schedule,
  sourceParts,
  type TrialPlan,
} from "./plan/mod.ts";
import { checkSendable, queueSettings, runQueuedCall, variableTypes } from "./queue.ts";
import { type RecordedRun, type Recorder, startRecord } from "./recorder.ts";
import { completeReport, type RunReport, settleCallbacks } from "./report.ts";
import type { SharedJudge } from "./shared_judge.ts";
import { cancelledResult, judgeKept, runAttempt } from "./trial/mod.ts";

/**
 * Runs the calls of every scenario, several at a time, judges them and stores each result when it is finished. Calls do
 * not wait for the database: results that it does not accept in time go to a spool file, and the report says so.
 *
 * With `repeat.times`, each scenario runs several times, and its `gate` turns the results into one verdict. A call whose
 * model or caller fails ends as `error` with the reason, and the others continue. Results are in the order of the
 * scenarios and of their trials.
 *
 * A connection of `callweave/connect` in place of the graph holds the calls with an agent where it runs.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario` (also for names that are not in the graph),
 *   `duplicate-scenario`, `invalid-pattern`, `invalid-policy`, `missing-capability` for a scenario that needs what a
 *   connection lacks, before the first call.
 * @throws {CallbackError} `callback-failed` after the run when a listener or clock threw. The results are stored, and
 *   the error's `report` has them.
 * @throws {ConnectionError} `connection-failed` before the first call, when the agent cannot be looked up.
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
  source: AgentGraph | AgentConnection,
  scenarios: readonly ScenarioSource[],
  options: RunOptions = {},
): Promise<RunReport> {
  const { graph, options: own, context } = await sourceParts(source, options);
  return await runScenarios(graph, scenarios, own, context);
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
    options: {
      ...describeOptions(options, whole.plans),
      ...defined({ connection: describeConnection(context.connected) }),
      ...variant?.options,
    },
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
    const planned = plans.map(plannedOf);
    return await started.report({ results, planned, storedCount: storedResults.length, durationMs });
  } finally {
    try {
      await feed?.close();
    } finally {
      await started.close();
    }
  }
}

/** The plan of a scenario, as the summary needs it. */
export function plannedOf({ resolved: { scenario }, ...plan }: TrialPlan): PlannedScenario {
  return { ...plan, scenario: scenario.name, ...(scenario.cast ? { cast: scenario.cast } : {}) };
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
  const shared = feed ? undefined : await sharedJudgeOf(plans, setup, storedResults);
  const runCall = async (
    { resolved }: TrialPlan,
    slot: TrialAttempt,
    sharing: RunSetup["sharing"],
  ): Promise<NewResult> => {
    if (setup.signal.aborted) return cancelledResult(slot, setup.now());
    listeners.onProgress?.({ kind: "call-start", ...slot });
    const own = sharing ? { ...setup, sharing, keepUnjudged: recorder.keepUnjudged } : setup;
    const kept = recorder.takeUnjudged(slot.scenario, slot.trial);
    return await (kept ? judgeKept(resolved, own, slot, kept) : runAttempt(resolved, own, slot));
  };
  const added = await runTrials(plans, {
    storedTrials: storedResults,
    schedule: shared?.schedule(schedule) ?? ((task) => schedule(() => task({ free: () => {} }))),
    startTrial: (plan, place) => {
      if (feed) return { runCall: (slot) => runQueuedCall(plan, slot, { feed, setup, recorder }) };
      const { sharing, end } = shared?.startTrial(plan, place.free) ?? {};
      return { runCall: (slot) => runCall(plan, slot, sharing), ...defined({ end }) };
    },
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

/** Judges the replies of several calls in one request; `undefined` if no calls of the run can share one. */
async function sharedJudgeOf(
  plans: readonly TrialPlan[],
  { options, judge, timers, variant }: RunSetup,
  storedResults: readonly ResultRecord[],
): Promise<SharedJudge | undefined> {
  if (variant?.sharedReplies || !plans.some(({ resolved }) => judgedReplyRules(resolved.scenario).length > 0)) return;
  const { createSharedJudge } = await import("./shared_judge.ts"); // most runs have no such rules
  const openCalls = (plan: TrialPlan) => openTrials(plan, storedResults);
  return createSharedJudge(plans, { options, judge, openCalls, timers });
}

/** Sorts results by scenario, trial and attempt. One that another process has stored meanwhile is listed once. */
function inOrder(results: readonly ResultRecord[], names: readonly string[]): readonly ResultRecord[] {
  const places = new Map(names.map((name, index) => [name, index]));
  const placeOf = ({ scenario }: ResultRecord) => places.get(scenario) ?? names.length;
  return [...new Map(results.map((result) => [result.id, result])).values()].sort(
    (a, b) => placeOf(a) - placeOf(b) || a.trial - b.trial || (a.attempt ?? 1) - (b.attempt ?? 1),
  );
}

/** The results of a run's calls, and how many of them come from an earlier process. */
export interface FinishedCalls {
  readonly results: readonly ResultRecord[];
  /** The plan of the scenarios that have run. */
  readonly planned: readonly PlannedScenario[];
  /** Number of the results that were stored before. */
  readonly storedCount: number;
  readonly durationMs: number;
}

/** A run whose record is stored and whose calls can start. */
export interface StartedRun {
  readonly recorder: Recorder;
  /** The prepared setup with the run's spans. */
  readonly setup: RunSetup;
  /** Finishes recordings, spans and the stored run. Throws what callbacks threw, once everything is stored. */
  report(calls: FinishedCalls): Promise<RunReport>;
  /** Releases the resources of the run. Always call it; without a report, recorded answers are still written. */
  close(): Promise<void>;
}

/**
 * Starts spans, recordings and the stored run. If a later step fails, earlier ones are rolled back.
 *
 * @throws {ModelError | StoreError} Like `run()`.
 */
export async function startRun(
  prepared: PreparedRun,
  runOptions: RunOptions,
  described: Pick<RecordedRun, "kind" | "options" | "plan" | "shard">,
): Promise<StartedRun> {
  const { graph, setup, callbacks, stop, over } = prepared;
  refuseUnknownCode(prepared, runOptions);
  const { options, now } = setup;
  const name = options.name ?? agentName(graph) ?? "agent";
  const models = namesOf(prepared.models);
  const startedAt = now().toISOString();
  const telemetry = await startTelemetry(runOptions.telemetry);
  const ending = madeOnce(async () => await telemetry?.end());
  const flushing = madeOnce(async () => await flushed(options.recordings));
  let recorder: Recorder;
  try {
    await options.recordings?.prepare();
    const { resume, joinRun } = runOptions.share ?? {};
    recorder = await startRecord(
      { models, startedAt, agent: name, graph, ...described, ...defined({ resume, joinRun }) },
      options.store,
    );
  } catch (error) {
    over.abort();
    await ending();
    throw error;
  }
  const { runId: id } = recorder;
  const spans = telemetry && { telemetry, runId: id, agent: name };
  return {
    recorder,
    setup: { ...setup, ...defined({ spans }) },
    report: async ({ results, planned, storedCount, durationMs }) => {
      const [recordingsError, telemetryError] = await Promise.all([flushing(), ending()]);
      const storage = await recorder.finish(now(), storedCount);
      const missing = { recordingsError, ...(telemetryError ? { telemetryError } : {}) };
      const notices = prepared.modelNotices();
      const head = {
        kind: described.kind,
        models,
        id,
        name,
        startedAt,
        durationMs,
        ...missing,
        ...(notices.length > 0 ? { modelNotices: notices } : {}),
      };
      const report = completeReport({ ...head, ...storage, ...stop.reason() }, results, { planned });
      const timeoutMs = options.limits?.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS;
      await settleCallbacks(callbacks, report, { timeoutMs, timers: setup.timers });
      return report;
    },
    close: async () => {
      over.abort();
      await Promise.all([flushing(), ending()]);
      await recorder.close();
    },
  };
}

/**
 * Refuses to resume a run that uses functions of which nothing shows that they are those of the stored results.
 *
 * @throws {StoreError} `different-plan`.
 */
function refuseUnknownCode(prepared: PreparedRun, { share: { resume, codeVersion } = {} }: RunOptions): void {
  if (resume === undefined || codeVersion !== undefined) return;
  const { graph, plans, setup } = prepared;
  const { options, connected } = setup;
  const scenarios = plans.map(({ resolved }) => resolved.scenario);
  const [first, ...others] = functionsOf({ graph, scenarios, options, connected });
  if (!first) return;
  const more = others.length > 0 ? ` and ${others.length} more functions` : "";
  throw new StoreError(`Cannot resume run "${resume}": ${first.what}${more} may have changed since it was started`, {
    code: "different-plan",
    path: ["share", "codeVersion"],
    hint: "Pass share.codeVersion, such as the commit, to both runs, or start a new run",
  });
}

/** Writes recordings. Returns the error message on failure, so that the report is not lost. */
async function flushed(recordings: Recordings | undefined): Promise<string | null> {
  try {
    await recordings?.flush();
    return null;
  } catch (error) {
    return wordsWithHint(error);
  }
}

/** Returns the names of the models of a run. */
function namesOf({ agent, caller, judge }: Models): ModelNames {
  const name = (model: ModelReference) => modelName(model).replace(/^callweave\//, "");
  return { agent: name(agent), caller: name(caller ?? agent), judge: name(judge ?? agent) };
}
