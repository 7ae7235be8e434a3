import type { LanguageModelMiddleware } from "ai";
import { checkScenarios, unknownNames } from "../../../agent/analysis/mod.ts";
import { type Issue, isCallweaveError, ModelError, ScenarioError, throwIssues } from "../../../base/errors.ts";
import { eitherSignal } from "../../../base/values/mod.ts";
import { createHearing } from "../../../call/audio/mod.ts";
import { type CallbackGuard, callableGraph, createCallbackGuard, priced } from "../../../call/engine/mod.ts";
import { compilePattern, hasChoices, type Pattern } from "../../../call/judges/mod.ts";
import {
  answerNotice,
  createModelLoader,
  hasPrice,
  limiterMiddleware,
  type Model,
  type ModelLoader,
  type Models,
  modelName,
  offline,
  type RequestLimits,
  type RequestOptions,
  resolveModel,
} from "../../../call/models/mod.ts";
import { startVariables } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import {
  CHECKS,
  castBy,
  DEFAULT_THRESHOLD,
  expectsVoice,
  isScripted,
  type Metric,
  type Policy,
  type PolicySource,
  parsePolicies,
  type RunMetric,
  replyPatterns,
  replyRules,
  requireScenarios,
  type Scenario,
  type ScenarioSource,
  toScenarios,
} from "../../../document/scenario/mod.ts";
import type { ResolvedScenario, RunContext, RunSetup, RunVariant } from "../call/mod.ts";
import { type Concurrency, createConcurrency } from "../concurrency.ts";
import { refuseUnmet } from "../connected.ts";
import {
  DEFAULT_CONCURRENCY,
  flowJudgement,
  joinMetrics,
  namesInGraph,
  type RunListeners,
  type RunOptions,
} from "../options.ts";
import { guardedClock, guardedRunListeners } from "../report.ts";
import { checkRunOptions } from "./option_rules.ts";
import { createStop, planTrials, type Stop, type TrialPlan } from "./run_trials.ts";

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
  { variant, timers, connected, loadModel = createModelLoader() }: RunContext = {},
): Promise<PreparedRun> {
  const graph = callableGraph(source);
  checkRunOptions(runOptions);
  const callbacks = createCallbackGuard();
  const listeners = guardedRunListeners(runOptions.listeners ?? {}, callbacks);
  const now = guardedClock(runOptions.clock?.now, callbacks);
  const models = modelsOf(runOptions);
  const references = [models.agent, models.caller ?? models.agent, models.judge ?? models.agent];
  const [agent, caller, judge] = await Promise.all(references.map(loadModel));
  if (!agent || !caller || !judge) throw new TypeError("unreachable: three references give three models");
  const judgesPath = !connected && flowJudgement(runOptions) !== undefined && hasChoices(graph);
  const resolved = await resolveScenarios(scenarios, agent, { ...runOptions, judgesPath, loadModel }, variant);
  const namesAreKnown = !connected || connected.graph !== undefined;
  if (variant?.namesAreChecked !== false && namesAreKnown) checkNames(graph, resolved, runOptions);
  const policies = policiesFor(graph, runOptions.judging?.policies ?? [], namesAreKnown);
  if (connected) {
    const judgesFlow = flowJudgement(runOptions) !== undefined;
    refuseUnmet(connected, resolved, { policies, judgesPath: judgesFlow });
  }
  for (const each of resolved) priced(each.agent, runOptions);
  checkMaxCost(
    [...(connected ? [] : [agent, ...resolved.map((each) => each.agent)]), caller, judge],
    runOptions,
    connected,
  );
  const over = new AbortController();
  const stop = createStop(runOptions);
  const { schedule, around } = createConcurrency(runOptions.limits?.concurrency ?? defaultConcurrency(connected), {
    most: mostCalls([agent, caller, judge], runOptions),
  });
  const options = { ...runOptions, listeners, requests: limitedRequests(runOptions, over.signal, around) };
  const { signal, onCall } = stop;
  const names = namesInGraph(graph);
  const audio =
    runOptions.audio && !runOptions.share?.queue
      ? await createHearing(runOptions.audio, runOptions.requests)
      : undefined;
  const context = { variant, timers, connected };
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

/** Number of calls that run at the same time by default: an agent elsewhere has limits that its answers do not show. */
function defaultConcurrency(connected: RunContext["connected"]): number | "auto" {
  return connected ? Math.min(connected.connection.maxCalls ?? MOST_LIVE_CALLS, MOST_LIVE_CALLS) : DEFAULT_CONCURRENCY;
}

const MOST_LIVE_CALLS = 16;

/** Refuses a limit of the run's cost where a part of it is not known: the run would never stop. */
function checkMaxCost(
  models: readonly Model[],
  { limits: { maxCostUsd } = {}, requests: { prices } = {}, share }: RunOptions,
  connected: RunContext["connected"],
): void {
  if (maxCostUsd === undefined) return;
  if (share?.queue)
    throw new ScenarioError("Cannot limit the cost of a run whose calls are in a queue: workers pay for them", {
      code: "invalid-option",
      path: ["limits", "maxCostUsd"],
      hint: "Leave out maxCostUsd (--max-cost), or the queue",
    });
  const unknown = models.map(modelName).find((name) => !hasPrice(name, prices));
  if (unknown !== undefined)
    throw new ModelError(`Cannot limit the cost of the run: the price of ${unknown} is unknown`, {
      code: "missing-price",
      hint: "Pass its price in requests.prices (--prices), or leave out maxCostUsd",
    });
  if (!connected || connected.connection.reportsCost || connected.connection.costPerReplyUsd) return;
  throw new ScenarioError(
    `Cannot limit the cost of the run: what calls of "${connected.connection.name}" cost is unknown`,
    {
      code: "invalid-option",
      path: ["limits", "maxCostUsd"],
      hint: "Leave out maxCostUsd (--max-cost)",
    },
  );
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

/** @throws {ModelError} `unknown-model` for models without an agent. */
function modelsOf({ models = { agent: offline() } }: RunOptions): Models {
  if (models.agent) return { ...models, agent: models.agent };
  throw new ModelError("Cannot run scenarios: there is no model for the agent", {
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
function policiesFor(graph: AgentGraph, sources: readonly PolicySource[], namesAreKnown: boolean): readonly Policy[] {
  const policies = parsePolicies(sources);
  if (!namesAreKnown) return policies;
  const unknown = policies.flatMap((policy) => unknownNames(graph, policy));
  const issues = unknown.map(
    ({ path, message, hint = "" }): Issue => ({ code: "invalid-policy", path, message, hint }),
  );
  throwIssues(ScenarioError, "Cannot run scenarios", issues);
  return policies;
}

/**
 * Prepares scenarios for a run and reports all problems before the first call.
 *
 * @param options `judgesPath`: the flow judge has something to judge, so that a scenario needs no other expectation.
 * @param agent Model that plays the agent in scenarios without a model of their own.
 * @param variant Its scenarios need neither a caller nor an expectation.
 * @throws {ScenarioError} `invalid-scenario`, also for an empty list and for a scenario without a caller or an
 *   expectation; `duplicate-scenario`, `invalid-pattern`.
 * @throws {ModelError} When a scenario's model cannot be loaded.
 */
async function resolveScenarios(
  sources: readonly ScenarioSource[],
  agent: Model,
  {
    judging: { threshold = DEFAULT_THRESHOLD, metrics = [] } = {},
    models,
    callers,
    createCaller,
    judgesPath = false,
    loadModel = resolveModel,
  }: RunOptions & { readonly judgesPath?: boolean; readonly loadModel?: ModelLoader },
  variant?: RunVariant,
): Promise<readonly ResolvedScenario[]> {
  const withThreshold = (metric: Metric): RunMetric => ({ ...metric, threshold: metric.threshold ?? threshold });
  const global = metrics.map((metric) => withThreshold(typeof metric === "string" ? { criterion: metric } : metric));
  checkMetrics([...global, { criterion: "criteria without their own", threshold }]);
  const scenarios = callers === undefined ? toScenarios(sources) : castBy(callers, toScenarios(sources));
  requireScenarios(scenarios, "Cannot run scenarios");
  const patterns = await compilePatterns(scenarios);
  const resolved = await Promise.all(
    scenarios.map(async (scenario, index) => ({
      scenario,
      agent: models?.fromScenarios && scenario.llm_model ? await loadModel(scenario.llm_model) : agent,
      metrics: joinMetrics(scenario.metrics.map(withThreshold), global),
      ...(patterns[index] ?? { patterns: [], replyPatterns: new Map() }),
    })),
  );
  const context = { hasCallers: createCaller !== undefined, judgesPath };
  const issues = variant ? [] : resolved.flatMap((each, index) => vacuousIn(each, index, context));
  throwIssues(ScenarioError, "Cannot run scenarios", issues);
  return resolved;
}

function checkMetrics(metrics: readonly RunMetric[]): void {
  const issues = metrics.flatMap(({ criterion, threshold }, index): Issue[] => {
    const issue = (path: Issue["path"], message: string, hint: string) => [
      { code: "invalid-scenario", path: ["judging", "metrics", index, ...path], message, hint } as const,
    ];
    if (criterion.trim() === "")
      return issue([], "the criterion is blank", "Write what the judge should check, or remove it");
    if (threshold > 0 && threshold <= 1) return [];
    const hint = "Choose a threshold greater than 0 and at most 1";
    return issue(["threshold"], `the threshold of "${criterion}" is ${threshold}`, hint);
  });
  throwIssues(ScenarioError, "Cannot run scenarios", issues);
}

/** A text that no call contains. A pattern that matches both it and the empty text matches every text. */
const NEVER_SAID = "\u0001";

type CompiledPatterns = Pick<ResolvedScenario, "patterns" | "replyPatterns">;

async function compilePatterns(scenarios: readonly Scenario[]): Promise<readonly CompiledPatterns[]> {
  const issues: Issue[] = [];
  const compiled: CompiledPatterns[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const patterns: Pattern[] = [];
    const ofReplies = new Map<string, Pattern>();
    for (const { source, at } of patternsOf(scenario)) {
      const path = [index, ...at];
      try {
        const pattern = await compilePattern(source);
        if (at[0] === "patterns") patterns.push(pattern);
        else ofReplies.set(source, pattern);
        if (!pattern.matches("") || !pattern.matches(NEVER_SAID)) continue;
        const message = `scenario "${scenario.name}": pattern "${source}" matches every text, so it checks nothing`;
        issues.push({ code: "invalid-scenario", path, message, hint: "Write what a message must have" });
      } catch (error) {
        if (!isCallweaveError(error)) throw error;
        const { code, message, hint } = error;
        issues.push({ code, path, message: `scenario "${scenario.name}": ${message}`, hint });
      }
    }
    compiled.push({ patterns, replyPatterns: ofReplies });
  }
  throwIssues(ScenarioError, "Cannot run scenarios", issues);
  return compiled;
}

/** The patterns of a scenario, those of its rules for each reply included, with their places. */
function patternsOf(scenario: Scenario): readonly { readonly source: string; readonly at: Issue["path"] }[] {
  return [
    ...scenario.patterns.map((source, position) => ({ source, at: ["patterns", position] })),
    ...replyRules(scenario).flatMap((rule, position) =>
      replyPatterns(rule).map(({ key, source }) => ({ source, at: ["each_reply", position, key] })),
    ),
  ];
}

/**
 * Finds what would make a scenario pass whatever the agent does: no caller, no expectation, or a check without its
 * function.
 *
 * @param options `hasCallers`: the run has a `createCaller`; `judgesPath`: it judges the path of every call.
 */
function vacuousIn(
  resolved: ResolvedScenario,
  index: number,
  { hasCallers, judgesPath }: { readonly hasCallers: boolean; readonly judgesPath: boolean },
): readonly Issue[] {
  const { scenario } = resolved;
  const issue = (key: string, message: string, hint: string): Issue => ({
    code: "invalid-scenario",
    path: key === "" ? [index] : [index, key],
    message: `scenario "${scenario.name}" ${message}`,
    hint,
  });
  const functions = new Set((scenario[CHECKS] ?? []).map(({ name }) => name));
  const missing = (scenario.checks ?? []).filter((name) => !functions.has(name));
  return [
    ...(hasCallers || scenario.says.length > 0 || scenario.user_prompt.trim() !== ""
      ? []
      : [issue("", "has no caller", "Add a persona, or lines to say")]),
    ...(judgesPath || expectsSomething(resolved)
      ? []
      : [issue("", "expects nothing", 'Say what must hold of the call, such as .judge("…") or .ends("agent_ended")')]),
    ...(scenario.caller && !hasCallers && isScripted(scenario)
      ? [issue("caller", "has a caller with traits who says only given lines", "Add a persona, which a model plays")]
      : []),
    ...missing.map((name) =>
      issue(
        "checks",
        `has the name of check "${name}" without its function`,
        "Run the scenario from the code that built it",
      ),
    ),
  ];
}

function expectsSomething({ scenario, metrics, patterns }: ResolvedScenario): boolean {
  const { includes, excludes, visits, avoids, ends, extracts, calls, checks, answers_within_ms: limitMs } = scenario;
  const words = [metrics, patterns, includes, excludes, replyRules(scenario)];
  const lists = [...words, visits, avoids, calls, checks ?? [], scenario[CHECKS] ?? []];
  return (
    Boolean(ends ?? limitMs ?? scenario.end_state) ||
    expectsVoice(scenario) ||
    Object.keys(extracts).length > 0 ||
    lists.some((list) => list.length > 0)
  );
}

/**
 * Middleware that applies the run's request limits to each model. Models with the same name share a limit because they
 * share a provider quota.
 */
export function createLimits(limits: RequestLimits, signal: AbortSignal | undefined): LanguageModelMiddleware {
  const known = new Map<string, LanguageModelMiddleware>();
  return {
    specificationVersion: "v3",
    wrapGenerate: async (call) => {
      const name = modelName(call.model);
      const limiter = known.get(name) ?? limiterMiddleware(limits, signal);
      known.set(name, limiter);
      return await (limiter.wrapGenerate?.(call) ?? call.doGenerate());
    },
  };
}
