import { type Issue, ScenarioError, throwIssues } from "../../base/errors.ts";
import { createRedactor } from "../../base/redaction/mod.ts";
import { type JsonObject, shown, wordsWithHint } from "../../base/values/mod.ts";
import { type Model, type ModelReference, offline } from "../../call/models/mod.ts";
import { definitionOf, toolImplementations } from "../../document/graph/mod.ts";
import { CHECKS, parsePolicies, type Scenario } from "../../document/scenario/mod.ts";
import type { NewResult } from "../store/mod.ts";
import type { RunSetup } from "./call/mod.ts";
import {
  type CallFeed,
  limitsOfCalls,
  type QueuedRun,
  type RunModels,
  type RunOptions,
  type TrialAttempt,
} from "./options.ts";
import type { TrialPlan } from "./plan/mod.ts";
import type { Recorder } from "./recorder.ts";
import { cancelledResult } from "./trial/mod.ts";

/**
 * Runs a call in a worker, or has it judged there if it was held before.
 *
 * @returns Its stored result; `undefined` if its scenario's gate was decided before.
 */
export async function runQueuedCall(
  { resolved: { scenario } }: TrialPlan,
  slot: TrialAttempt,
  { feed, setup, recorder }: QueuedRunContext,
): Promise<NewResult | undefined> {
  const { graph, now, signal, options } = setup;
  if (signal.aborted) return cancelledResult(slot, now());
  const onStart = () => options.listeners?.onProgress?.({ kind: "call-start", ...slot });
  try {
    const isHeld = recorder.takeUnjudged(slot.scenario, slot.trial) !== undefined;
    const call = { slot, scenario, needs: codeNeeds(graph, scenario), ...(isHeld ? { isHeld } : {}) };
    const end = await feed.runCall(call, onStart);
    if (end.kind === "dropped") return undefined;
    if (end.kind === "cancelled") return cancelledResult(slot, now());
    const stored = await recorder.find(end.resultId);
    return stored ?? failed(slot, now(), "The worker stored the result in another database");
  } catch (error) {
    if (signal.aborted) return cancelledResult(slot, now());
    return failed(slot, now(), wordsWithHint(error));
  }
}

/** Dependencies of a queued call. */
export interface QueuedRunContext {
  readonly feed: CallFeed;
  readonly setup: RunSetup;
  readonly recorder: Pick<Recorder, "find" | "takeUnjudged">;
}

/**
 * Checks that the scenarios can be sent to workers.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function checkSendable(plans: readonly TrialPlan[]): void {
  for (const { resolved } of plans) checkSecrets(resolved.scenario, ["scenarios", resolved.scenario.name]);
}

/** Returns the names and types of the variables that a flow declares in code; `undefined` for other graphs. */
export function variableTypes(graph: RunSetup["graph"]): QueuedRun["variables"] {
  return definitionOf(graph)?.variables.map(({ name, type }) => ({ name, type, description: "" }));
}

/** Lists the code that a call needs: its own checks, and tools that neither a mock nor a URL answers. */
function codeNeeds(graph: RunSetup["graph"], scenario: Scenario): readonly string[] {
  const mocked = new Set(scenario.tool_mocks.map(({ tool_name }) => tool_name));
  const tools = Object.keys(toolImplementations(graph)).filter((name) => !mocked.has(name));
  return [...tools.map((name) => `tool "${name}"`), ...(scenario[CHECKS] ?? []).map(({ name }) => `check "${name}"`)];
}

function failed(slot: TrialAttempt, now: Date, errorMessage: string): NewResult {
  return { ...cancelledResult(slot, now), status: "error", errorMessage };
}

/** Settings of a run with a queue, in place of its own options. */
export interface QueueSettings {
  /** Sent with each call. */
  readonly settings: JsonObject;
  /** Placeholders that keep the models' names, and need no keys. */
  readonly standIns: Pick<RunOptions, "models">;
}

/** Options that only a process that runs calls can use. */
const OF_WORKERS = ["tools", "toolState", "createCaller", "recordings", "clock", "telemetry"] as const;
const REQUESTS_OF_WORKERS = ["around", "within", "maxParallel", "perMinute"] as const;

/**
 * Selects the options that are sent to workers.
 *
 * @throws {ScenarioError} `invalid-option` for options that cannot be sent, such as functions, and for secrets.
 */
export function queueSettings(options: RunOptions): QueueSettings {
  const { fromScenarios, ...models }: RunModels = options.models ?? { agent: "offline" };
  const { requests = {}, judging, repeat: { variance } = {} } = options;
  const { turn, variables, systemVariables, liveTools, audio } = options;
  const limits = limitsOfCalls(options.limits);
  const { tryTimeoutMs, retry, prices, stream } = requests;
  const wrong = [
    ...OF_WORKERS.filter((name) => options[name]).map((name) => unsent([name])),
    ...REQUESTS_OF_WORKERS.filter((name) => requests[name] !== undefined).map((name) => unsent(["requests", name])),
    ...(options.store === false ? [unsent(["store"], "Pass the database that the workers write to")] : []),
    ...(["speech", "transcription"] as const).flatMap((role) => {
      const model = audio?.[role];
      return model === undefined || typeof model === "string"
        ? []
        : [unsent(["audio", role], `Write it as a text, "provider/model"; it is ${shown(model)}`)];
    }),
    ...(audio?.keep === undefined ? [] : [unsent(["audio", "keep"])]),
    ...Object.entries(models).flatMap(([role, model]) =>
      model === undefined || typeof model === "string" || isOffline(model)
        ? []
        : [unsent(["models", role], `Write it as a text, "provider/model"; it is ${shown(model)}`)],
    ),
  ];
  throwIssues(ScenarioError, "Cannot queue the calls of a run", wrong);
  const settings: JsonObject = JSON.parse(
    JSON.stringify({
      models: {
        ...Object.fromEntries(Object.entries(models).map(([role, model]) => [role, nameOf(model)])),
        fromScenarios,
      },
      ...{ limits, turn, variables, systemVariables, liveTools, audio, repeat: { variance } },
      judging: { ...judging, policies: judging?.policies && parsePolicies(judging.policies) },
      requests: { tryTimeoutMs, retry, prices, stream },
    }),
  );
  checkSecrets(settings, []);
  const named = Object.entries(models).map(([role, model]) => [role, standIn(nameOf(model))] as const);
  return { settings, standIns: { models: { agent: offline(), ...Object.fromEntries(named), fromScenarios: false } } };
}

/**
 * Rejects values of secrets: everyone with access to the queue could read them.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
function checkSecrets(value: unknown, path: Issue["path"]): void {
  if (createRedactor().value(value) === value) return;
  throw new ScenarioError(`Cannot queue the calls of a run: ${path.join(".") || "an option"} has a secret`, {
    code: "invalid-option",
    path: ["queue", ...path],
    hint: "Leave it out, and set it in the environment of the workers",
  });
}

function unsent(path: readonly string[], hint = "Leave it out, and pass it to the workers"): Issue {
  const message = `"${path.join(".")}" cannot be sent to workers`;
  return { code: "invalid-option", path, message, hint };
}

function isOffline(model: ModelReference): boolean {
  return typeof model !== "string" && `${model.provider}/${model.modelId}` === "callweave/offline";
}

function nameOf(model: ModelReference | undefined): string {
  return typeof model === "string" ? model : "offline";
}

function standIn(name: string): Model {
  const slash = name.indexOf("/");
  const model = offline();
  return slash < 1 ? model : { ...model, provider: name.slice(0, slash), modelId: name.slice(slash + 1) };
}
