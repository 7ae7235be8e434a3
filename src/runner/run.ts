import pLimit from "p-limit";
import { checkScenarios, unknownNames } from "../analysis/mod.ts";
import { callableGraph, createCallbackGuard, priced, startVariables } from "../engine/mod.ts";
import { type Issue, isCallweaveError, ModelError, ScenarioError, throwIssues } from "../errors.ts";
import { type AgentGraph, agentName } from "../graph/mod.ts";
import {
  type ModelReference,
  type Models,
  modelName,
  offline,
  type Recordings,
  type RequestOptions,
  resolveModel,
} from "../models/mod.ts";
import {
  DEFAULT_THRESHOLD,
  type Policy,
  type PolicySource,
  parsePolicies,
  type ScenarioSource,
} from "../scenario/mod.ts";
import type { ModelNames, NewResult } from "../store/mod.ts";
import { type JsonObject, thrownWords } from "../values/mod.ts";
import { guardedClock, guardedListeners, settleCallbacks } from "./guarded_callbacks.ts";
import { createLimits } from "./limit_models.ts";
import { checkRunOptions } from "./option_rules.ts";
import { DEFAULT_CONCURRENCY, DEFAULT_MAX_TURNS, DEFAULT_TURN_TIMEOUT_MS, type RunOptions } from "./options.ts";
import { namesIn } from "./platform_values.ts";
import { startRecord } from "./recorder.ts";
import { completeReport, type RunReport } from "./report.ts";
import { resolveScenarios } from "./resolve_scenarios.ts";
import { cancelledResult, type ResolvedScenario, type RunSetup, runScenario } from "./run_scenario.ts";
import { createStop } from "./stop.ts";

/**
 * Runs the call of every scenario, several at a time, judges them and stores each result when it is finished. Calls do
 * not wait for the database: results that it does not accept in time go to a spool file, and the report says so.
 *
 * A scenario whose model or caller fails ends as `error` with the reason, and the others continue. Results are in the
 * order of the scenarios.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario` (also for names that are not in the graph),
 *   `duplicate-scenario`, `invalid-pattern`, `invalid-policy`, before the first call.
 * @throws {CallbackError} `callback-failed` after the run when a listener or clock threw. The results are stored, and
 *   the error's `report` has them.
 * @throws {ModelError} `unknown-model`, `missing-key-variable`, `missing-price`, `recording-unreadable`,
 *   `recording-unwritable`, before the first call. If recordings cannot be written later, the report has a
 *   `recordingsError`.
 * @throws {StoreError} When the store cannot be opened. If it fails later, the report has a `storeError`.
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
  given: RunOptions = {},
): Promise<RunReport> {
  const graph = callableGraph(source);
  checkRunOptions(given);
  const callbacks = createCallbackGuard();
  const listeners = guardedListeners(given.listeners ?? {}, callbacks);
  const now = guardedClock(given.clock?.now, callbacks);
  const { models = { agent: offline() } } = given;
  if (!models.agent) throw withoutAgent();
  const references = [models.agent, models.caller ?? models.agent, models.judge ?? models.agent];
  const [agent, caller, judge] = await Promise.all(references.map(resolveModel));
  if (!agent || !caller || !judge) throw new TypeError("unreachable: three references give three models");
  const resolved = await resolveScenarios(scenarios, agent, given);
  checkNames(graph, resolved, given);
  const policies = policiesFor(graph, given.policies ?? []);
  for (const each of resolved) priced(each.agent, given);
  const over = new AbortController();
  const stop = createStop(given);
  const options = { ...given, listeners, requests: limitedRequests(given, over.signal) };
  const { signal, onCall } = stop;
  const names = namesIn(graph);
  const setup: RunSetup = { graph, names, policies, caller, judge, options, now, signal, onCall };

  await options.recordings?.prepare();
  const startedAt = now();
  const started = performance.now();
  const head = { kind: "simulated", models: namesOf(models) } as const;
  const name = options.name ?? agentName(graph) ?? "agent";
  const recorder = await startRecord(
    { ...head, startedAt: startedAt.toISOString(), agent: name, graph, options: describeOptions(given) },
    options.store,
  );
  let flushing: Promise<string | null> | undefined;
  const flush = () => {
    flushing ??= flushed(options.recordings);
    return flushing;
  };
  try {
    listeners.onProgress?.({ kind: "run-start", id: recorder.runId, scenarios: resolved.length });
    const limit = pLimit(options.concurrency ?? DEFAULT_CONCURRENCY);
    let durationMs = 0;
    const settled = await Promise.allSettled(
      resolved.map(async (each) => {
        // store the result without delaying the next call
        const taken = await limit(() => take(each, setup));
        stop.onResult(taken);
        durationMs = performance.now() - started;
        const { result, place } = await recorder.add(taken);
        listeners.onResult?.(result, place);
        listeners.onProgress?.({ kind: "call-end", scenario: result.scenario, result });
        return result;
      }),
    );
    const broken = settled.find(({ status }) => status === "rejected");
    if (broken?.status === "rejected") throw broken.reason;
    const results = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const recordingsError = await flush();
    const storage = await recorder.finish(now());
    const { runId: id } = recorder;
    const report = completeReport(
      {
        ...head,
        ...storage,
        ...stop.reason(),
        recordingsError,
        id,
        name,
        startedAt: startedAt.toISOString(),
        durationMs,
      },
      results,
    );
    await settleCallbacks(callbacks, report, options.limits?.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS); // after all calls are finished and stored
    return report;
  } finally {
    over.abort(); // abandoned requests may still wait for a rate limit and would keep the process alive
    await flush(); // if the run threw: keep answers that were already paid for
    await recorder.close();
  }
}

/** Writes recordings. Returns the error message on failure, so that the report is not lost. */
async function flushed(recordings: Recordings | undefined): Promise<string | null> {
  try {
    await recordings?.flush();
    return null;
  } catch (error) {
    return isCallweaveError(error) ? `${error.message} (${error.hint})` : thrownWords(error);
  }
}

/** Applies rate limits to each request, so that its timeout starts only when the request may be sent. */
function limitedRequests({ requests = {}, signal }: RunOptions, over: AbortSignal): RequestOptions {
  const { maxParallel, perMinute, ...rest } = requests;
  if (maxParallel === undefined && perMinute === undefined) return rest;
  const end = signal ? AbortSignal.any([signal, over]) : over;
  return { ...rest, within: [...(rest.within ?? []), createLimits({ maxParallel, perMinute }, end)] };
}

function withoutAgent(): ModelError {
  return new ModelError("Cannot run scenarios: there is no model for the agent", {
    code: "unknown-model",
    hint: "Pass models: { agent: … }, or no models at all for the offline model",
  });
}

/** Throws for names that are not in the graph: such expectations would always or never hold. */
function checkNames(graph: AgentGraph, resolved: readonly ResolvedScenario[], { variables = {} }: RunOptions): void {
  const scenarios = resolved.map(({ scenario }) => ({
    ...scenario,
    dynamic_variables: { ...variables, ...scenario.dynamic_variables },
  }));
  for (const { dynamic_variables: given } of scenarios) startVariables(graph, given); // also throws for values that are not texts
  const issues = checkScenarios(graph, scenarios)
    .filter(({ severity }) => severity === "error")
    .map(({ path, message, hint = "" }): Issue => ({ code: "invalid-scenario", path, message, hint }));
  throwIssues(ScenarioError, "Cannot run scenarios", issues);
}

/** Throws for policies with names that are not in the graph. */
function policiesFor(graph: AgentGraph, sources: readonly PolicySource[]): readonly Policy[] {
  const policies = parsePolicies(sources);
  const unknown = policies.flatMap((policy) => unknownNames(graph, policy));
  const issues = unknown.map(
    ({ path, message, hint = "" }): Issue => ({ code: "invalid-policy", path, message, hint }),
  );
  throwIssues(ScenarioError, "Cannot run scenarios", issues);
  return policies;
}

async function take(resolved: ResolvedScenario, setup: RunSetup): Promise<NewResult> {
  if (setup.signal.aborted) return cancelledResult(resolved, setup.now());
  setup.options.listeners?.onProgress?.({ kind: "call-start", scenario: resolved.scenario.name });
  return await runScenario(resolved, setup);
}

function namesOf({ agent, caller, judge }: Models): ModelNames {
  const name = (model: ModelReference) => modelName(model).replace(/^callweave\//, "");
  return { agent: name(agent), caller: name(caller ?? agent), judge: name(judge ?? agent) };
}

/** Selects the options that are stored with the run. None of them can contain a secret. */
function describeOptions(options: RunOptions): JsonObject {
  const { concurrency, metrics, threshold, scenarioModels, turn, budget, limits, requests, liveTools } = options;
  const { maxParallel, perMinute, tryTimeoutMs } = requests ?? {};
  return {
    concurrency: concurrency ?? DEFAULT_CONCURRENCY,
    limits: {
      maxTurns: limits?.maxTurns ?? DEFAULT_MAX_TURNS,
      turnTimeoutMs: limits?.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS,
      ...(limits?.toolTimeoutMs ? { toolTimeoutMs: limits.toolTimeoutMs } : {}),
    },
    threshold: threshold ?? DEFAULT_THRESHOLD,
    metrics: (metrics ?? []).map((metric) => (typeof metric === "string" ? metric : { ...metric })),
    ...(scenarioModels ? { scenarioModels: true } : {}),
    ...(turn ? { turn } : {}),
    ...(budget ? { budget: { ...budget } } : {}),
    ...(requests
      ? {
          requests: {
            ...(tryTimeoutMs ? { tryTimeoutMs } : {}),
            ...(maxParallel ? { maxParallel } : {}),
            ...(perMinute ? { perMinute } : {}),
          },
        }
      : {}),
    ...(options.recordings ? { recordings: options.recordings.mode } : {}),
    ...(liveTools ? { liveTools: { hosts: [...liveTools.hosts] } } : {}),
  };
}
