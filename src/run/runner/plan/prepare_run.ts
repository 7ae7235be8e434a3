import { checkScenarios, unknownNames } from "../../../agent/analysis/mod.ts";
import { type Issue, ModelError, ScenarioError, throwIssues } from "../../../base/errors.ts";
import { eitherSignal } from "../../../base/values/mod.ts";
import { createHearing } from "../../../call/audio/mod.ts";
import { type CallbackGuard, callableGraph, createCallbackGuard, priced } from "../../../call/engine/mod.ts";
import { hasChoices } from "../../../call/judges/mod.ts";
import {
  answerNotice,
  createModelLoader,
  type Model,
  type Models,
  modelName,
  offline,
  type RequestOptions,
} from "../../../call/models/mod.ts";
import { startVariables } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { type Policy, type PolicySource, parsePolicies, type ScenarioSource } from "../../../document/scenario/mod.ts";
import type { ResolvedScenario, RunContext, RunSetup } from "../call/mod.ts";
import {
  DEFAULT_CONCURRENCY,
  flowJudgement,
  namesInGraph,
  type RunListeners,
  type RunOptions,
} from "../options/mod.ts";
import { guardedClock, guardedRunListeners } from "../report/mod.ts";
import { type Concurrency, createConcurrency } from "../schedule/mod.ts";
import { createLimits } from "./limit_models.ts";
import { checkRunOptions } from "./option_rules.ts";
import { planTrials, type TrialPlan } from "./plan_trials.ts";
import { resolveScenarios } from "./resolve_scenarios.ts";
import { createStop, type Stop } from "./stop.ts";

/** A validated run before its first call. */
export interface PreparedRun {
  readonly graph: AgentGraph;
  readonly models: Models;
  /** What the calls have found out about the models of all roles and scenarios, a sentence each. */
  readonly modelNotices: () => readonly string[];
  readonly plans: readonly TrialPlan[];
  readonly setup: RunSetup;
  readonly stop: Stop;
  /** Limits the number of concurrent calls. */
  readonly schedule: Concurrency["schedule"];
  readonly callbacks: CallbackGuard;
  readonly listeners: RunListeners;
  /** Aborted when the run is over: abandoned requests may still wait for a rate limit and would keep the process alive. */
  readonly over: AbortController;
}

/**
 * Validates a run and loads its models, without calling one.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 * @throws {ScenarioError} `invalid-option`, `invalid-scenario`, `duplicate-scenario`, `invalid-pattern`,
 *   `invalid-policy`.
 * @throws {ModelError} `unknown-model`, `missing-key-variable`, `missing-price`.
 */
export async function prepareRun(
  source: AgentGraph,
  scenarios: readonly ScenarioSource[],
  runOptions: RunOptions,
  { variant, timers, loadModel = createModelLoader() }: RunContext = {},
): Promise<PreparedRun> {
  const graph = callableGraph(source);
  checkRunOptions(runOptions);
  const callbacks = createCallbackGuard();
  const listeners = guardedRunListeners(runOptions.listeners ?? {}, callbacks);
  const now = guardedClock(runOptions.clock?.now, callbacks);
  const { models = { agent: offline() } } = runOptions;
  if (!models.agent) throw withoutAgent();
  const references = [models.agent, models.caller ?? models.agent, models.judge ?? models.agent];
  const [agent, caller, judge] = await Promise.all(references.map(loadModel));
  if (!agent || !caller || !judge) throw new TypeError("unreachable: three references give three models");
  const judgesPath = flowJudgement(runOptions) !== undefined && hasChoices(graph);
  const resolved = await resolveScenarios(scenarios, agent, { ...runOptions, judgesPath, loadModel }, variant);
  if (variant?.namesAreChecked !== false) checkNames(graph, resolved, runOptions);
  const policies = policiesFor(graph, runOptions.judging?.policies ?? []);
  for (const each of resolved) priced(each.agent, runOptions);
  const over = new AbortController();
  const stop = createStop(runOptions);
  const { schedule, around } = createConcurrency(runOptions.limits?.concurrency ?? DEFAULT_CONCURRENCY, {
    most: mostCalls([agent, caller, judge], runOptions),
  });
  const options = { ...runOptions, listeners, requests: limitedRequests(runOptions, over.signal, around) };
  const { signal, onCall } = stop;
  const names = namesInGraph(graph);
  const audio =
    runOptions.audio && !runOptions.share?.queue
      ? await createHearing(runOptions.audio, runOptions.requests)
      : undefined;
  const context = { variant, timers };
  const setup: RunSetup = { graph, names, policies, caller, judge, options, now, signal, onCall, audio, ...context };
  const all = [agent, caller, judge, ...resolved.map((each) => each.agent)];
  const modelNotices = () => [...new Set(all.flatMap((model) => answerNotice(model) ?? []))];
  return {
    graph,
    models,
    modelNotices,
    plans: planTrials(resolved, runOptions),
    setup,
    stop,
    schedule,
    callbacks,
    listeners,
    over,
  };
}

/** Applies rate limits to each request, so that its timeout starts only when the request may be sent. */
function limitedRequests(
  { requests = {}, signal }: RunOptions,
  over: AbortSignal,
  around: Concurrency["around"],
): RequestOptions {
  const { maxParallel, perMinute, ...rest } = requests;
  const end = eitherSignal(signal, over);
  const hasLimits = maxParallel !== undefined || perMinute !== undefined;
  const limits = around(hasLimits ? [createLimits({ maxParallel, perMinute }, end)] : []);
  return limits.length > 0 ? { ...rest, within: [...(rest.within ?? []), ...limits] } : rest;
}

/** Calls beyond these would only wait for `maxParallel`, which limits each model. */
function mostCalls(models: readonly Model[], { requests, models: given }: RunOptions): number | undefined {
  if (requests?.maxParallel === undefined || given?.fromScenarios) return undefined;
  return requests.maxParallel * new Set(models.map(modelName)).size;
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
