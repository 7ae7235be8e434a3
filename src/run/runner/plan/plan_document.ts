import { canonicalJson, defined, type JsonObject } from "../../../base/values/mod.ts";
import { type AudioOptions, audioModelName, lineOf } from "../../../call/audio/mod.ts";
import { type ModelReference, modelName } from "../../../call/models/mod.ts";
import { type AgentGraph, toolImplementations } from "../../../document/graph/mod.ts";
import {
  CHECKS,
  castBy,
  checkText,
  DEFAULT_THRESHOLD,
  type Scenario,
  scenarioFingerprint,
  shortHash,
  toScenarios,
} from "../../../document/scenario/mod.ts";
import type { ConnectedRun, ResolvedScenario } from "../call/mod.ts";
import {
  DEFAULT_AUDIT,
  DEFAULT_CONCURRENCY,
  DEFAULT_MAX_TURNS,
  DEFAULT_TURN_TIMEOUT_MS,
  flowJudgement,
  type RunOptions,
} from "../options.ts";
import type { PreparedRun } from "./prepare_run.ts";
import { type TrialPlan, trialCount } from "./run_trials.ts";

const DEFAULT_TURN = "split";

/**
 * Describes a run, to compare it with the run that is resumed or shared. It covers everything
 * that changes what a result means, but nothing that only changes the speed. Values are hashed, because
 * variables can contain secrets.
 */
export function planDocument({
  graph,
  plans,
  models,
  setup,
}: Pick<PreparedRun, "graph" | "plans" | "models" | "setup">): JsonObject {
  const { options, policies, connected } = setup;
  const { variables, systemVariables } = options;
  const toolState = typeof options.toolState === "object" ? options.toolState : undefined; // functions are hashed as code
  // defaults are filled in: an option that is set to its default changes nothing
  const {
    limits,
    turn = DEFAULT_TURN,
    budget,
    metrics,
    threshold,
    liveTools,
    audit,
    audio,
    variance,
    judgeFlow,
  } = describeSettings(options, plans);
  const settings = {
    limits,
    turn,
    budget,
    metrics,
    policies,
    variables,
    systemVariables,
    toolState,
    liveTools,
    audit,
    audio,
    variance,
    judgeFlow,
    connection: describeConnection(connected),
  };
  const code = codeHash({ graph, scenarios: plans.map(({ resolved }) => resolved.scenario), options, connected });
  return {
    scenarios: plans.map(({ resolved }) => [resolved.scenario.name, shortHash(contentOf(resolved))]),
    repeats: shortHash(plans.map(({ planned }) => planned)),
    gates: shortHash(plans.map(({ gate }) => gate)),
    models: shortHash([models.agent, setup.caller, setup.judge].map(nameOf)),
    threshold: shortHash(threshold),
    ...(code === undefined ? {} : { code }),
    ...Object.fromEntries(
      Object.entries(settings).flatMap(([name, value]) => (isEmpty(value) ? [] : [[name, shortHash(value)]])),
    ),
  };
}

/** How a run treats what its connection lacks; `undefined` for a run with a graph. */
export function describeConnection(connected: ConnectedRun | undefined): JsonObject | undefined {
  if (!connected) return undefined;
  const { connection, unchecked, allowRealTools } = connected;
  const { name, version, capabilities } = connection;
  return { name, ...defined({ version }), capabilities: { ...capabilities }, unchecked, allowRealTools };
}

/** A function that decides what happens in calls, or whether they pass. */
export interface UsedFunction {
  /** Its role in words, such as "the tool look_up". */
  readonly what: string;
  readonly text: string;
}

/** Where the functions of a run are. */
export interface RunCode {
  readonly graph: AgentGraph;
  /** In the order of the run. */
  readonly scenarios: readonly Scenario[];
  readonly options: Pick<RunOptions, "tools" | "toolState" | "createCaller" | "share">;
  readonly connected?: ConnectedRun | undefined;
}

/** A hash of the code version of a run, or else of the texts of its functions; `undefined` if it uses none. */
export function codeHash(code: RunCode): string | undefined {
  const functions = functionsOf(code);
  if (functions.length === 0) return undefined;
  return shortHash(code.options.share?.codeVersion ?? functions.map(({ text }) => text));
}

/**
 * The functions of a run: checks of scenarios, tools that the agent's code implements, a caller of one's own, and an
 * agent without a version that is reached over a connection.
 */
export function functionsOf({ graph, scenarios, options, connected }: RunCode): readonly UsedFunction[] {
  const checks = scenarios.flatMap((scenario) =>
    (scenario[CHECKS] ?? []).map((check) => ({
      what: `the check "${check.name}" of "${scenario.name}"`,
      text: checkText(check),
    })),
  );
  const tools = Object.entries({ ...toolImplementations(graph), ...options.tools }).map(([name, execute]) => ({
    what: `the tool "${name}"`,
    text: String(execute),
  }));
  const { createCaller, toolState } = options;
  const { name, version } = connected?.connection ?? {};
  // an agent elsewhere without a version may be another one at any time
  const agents = name !== undefined && version === undefined ? [{ what: `the agent "${name}"`, text: name }] : [];
  return [
    ...agents,
    ...checks,
    ...tools,
    ...(createCaller ? [{ what: "createCaller", text: String(createCaller) }] : []),
    ...(typeof toolState === "function" ? [{ what: "toolState", text: String(toolState) }] : []),
  ];
}

/** A model is the same whether it is given by name or as an object. */
function nameOf(model: ModelReference): string {
  return modelName(model).replace(/^callweave\//, "");
}

function contentOf({ scenario, agent }: ResolvedScenario) {
  const { repeat: _, gate: __, ...content } = scenario; // compared separately
  return { scenario: content, agent: nameOf(agent) };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || canonicalJson(value) === "{}" || canonicalJson(value) === "[]";
}

/**
 * Selects the options that are stored with the run. None of them can contain a secret. Scenarios whose number of trials
 * or gate differs from the run's are listed.
 */
export function describeOptions(options: RunOptions, plans: readonly TrialPlan[]): JsonObject {
  const { labels } = options.share ?? {};
  return {
    ...describeSettings(options, plans),
    set: setOf(options, plans),
    ...(labels ? { labels: { ...labels } } : {}),
  };
}

/** Like {@link describeOptions}, without the scenarios that those of the run were selected from. */
function describeSettings(options: RunOptions, plans: readonly TrialPlan[]): JsonObject {
  const { models, judging: { metrics, threshold } = {}, turn, limits, requests, liveTools } = options;
  const { concurrency, budget } = limits ?? {};
  const { maxParallel, perMinute, tryTimeoutMs, stream } = requests ?? {};
  const { planned: repeat, gate } = trialCount({}, options);
  const different = plans.flatMap(({ resolved, planned, gate: own }) =>
    planned === repeat && JSON.stringify(own) === JSON.stringify(gate)
      ? []
      : [{ scenario: resolved.scenario.name, planned, gate: own }],
  );
  const casts = plans.flatMap(({ resolved: { scenario } }) =>
    scenario.cast ? [{ name: scenario.name, ...scenario.cast, traits: { ...scenario.caller } }] : [],
  );
  const sequential = plans.flatMap((plan) => (plan.sequential ? [plan.resolved.scenario.name] : []));
  return {
    repeat,
    gate,
    ...(sequential.length > 0 ? { sequential } : {}),
    ...(casts.length > 0 ? { casts } : {}),
    ...(different.length > 0 ? { trials: different } : {}),
    ...(options.repeat?.variance ? { variance: { ...options.repeat.variance } } : {}),
    audit: options.judging?.audit ?? DEFAULT_AUDIT,
    ...(options.audio ? { audio: describeAudio(options.audio) } : {}),
    concurrency: concurrency ?? DEFAULT_CONCURRENCY,
    limits: {
      maxTurns: limits?.maxTurns ?? DEFAULT_MAX_TURNS,
      turnTimeoutMs: limits?.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS,
      ...(limits?.toolTimeoutMs ? { toolTimeoutMs: limits.toolTimeoutMs } : {}),
    },
    threshold: threshold ?? DEFAULT_THRESHOLD,
    metrics: (metrics ?? []).map((metric) => (typeof metric === "string" ? metric : { ...metric })),
    ...(options.judging?.flow ? { judgeFlow: { ...flowJudgement(options) } } : {}),
    ...(models?.fromScenarios ? { scenarioModels: true } : {}),
    ...(turn ? { turn } : {}),
    ...(budget ? { budget: { ...budget } } : {}),
    ...(requests
      ? {
          requests: {
            ...(tryTimeoutMs ? { tryTimeoutMs } : {}),
            ...(maxParallel ? { maxParallel } : {}),
            ...(perMinute ? { perMinute } : {}),
            ...(stream ? { stream } : {}),
          },
        }
      : {}),
    ...(options.recordings ? { recordings: options.recordings.mode } : {}),
    ...(liveTools ? { liveTools: { hosts: [...liveTools.hosts] } } : {}),
  };
}

/** All scenarios that the run's were selected from, by name and content. */
function setOf(
  { share: { selectedFrom } = {}, callers }: RunOptions,
  plans: readonly TrialPlan[],
): readonly (readonly [name: string, hash: string])[] {
  const own = plans.map(({ resolved }) => resolved.scenario);
  const from = toScenarios(selectedFrom ?? own);
  const all = new Map(
    [...(callers === undefined ? from : castBy(callers, from)), ...own].map((each) => [each.name, each]),
  );
  return [...all].map(([name, each]) => [name, scenarioFingerprint(each)]);
}

/** Folder and concurrency do not affect the audio. */
function describeAudio(options: AudioOptions): JsonObject {
  const { direction = "agent", speech = "offline", transcription = "offline" } = options;
  const { voice, callerVoice, language, format } = options;
  const line = lineOf(options);
  return {
    direction,
    speech: typeof speech === "string" ? speech : audioModelName(speech),
    transcription: typeof transcription === "string" ? transcription : audioModelName(transcription),
    ...(line ? { line: { ...line } } : {}),
    ...defined({ voice, callerVoice, language, format }),
  };
}
