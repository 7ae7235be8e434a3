import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, defined, groupBy, isRecord, type JsonObject, OPTION, pick } from "../../base/values/mod.ts";
import { textOf } from "../../document/expressions/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import {
  expectsVoice,
  replyRules,
  type Scenario,
  type ScenarioInput,
  type ScenarioSource,
  scenariosAsPlayed,
  toScenario,
  toScenarios,
  VOICE_EXPECTATIONS,
} from "../../document/scenario/mod.ts";
import type { Call, CheckKind, CheckResult } from "../../document/transcript/mod.ts";
import { checkFinishedCall, unknownAgent } from "../calls/mod.ts";
import { type PastCall, type RunOptions, type RunReport, runScenarios, type StartedCall } from "../runner/mod.ts";
import { shareReplies } from "./shared_replies.ts";

/** Options of `evaluate()`. Those it shares with `run()` mean the same. */
export interface EvaluateOptions
  extends Pick<RunOptions, "models" | "requests" | "limits" | "judging" | "signal" | "name" | "listeners"> {
  /** Expectations for every call: texts, nodes, variables, tools, the ending. */
  readonly expectations?: Omit<ScenarioInput, "name">;
  /** Scenarios; their expectations are checked in the calls of the same name. */
  readonly scenarios?: readonly ScenarioSource[];
  /** The agent of the calls; needed by `judging.policies` and `judging.flow`. Default: an unknown agent. */
  readonly agent?: AgentGraph;
  /** Stored with the evaluation, to find it again among others: `options.evaluation.label` of its run. Default: none. */
  readonly label?: string;
  /** Where to store the evaluation as a separate run: a store, a path or URL. Default: it is not stored. */
  readonly store?: RunOptions["store"];
}

/** An expectation that was not checked in a call, because the call lacks the data. */
export interface Skipped {
  readonly scenario: string;
  readonly trial: number;
  readonly kind: CheckResult["kind"];
  readonly expected: string;
}

/** Verdicts on past calls, with the expectations that could not be checked. */
export interface EvaluationReport extends RunReport {
  /** Expectations that could not be checked, such as a path if the nodes of a call are unknown. */
  readonly skipped: readonly Skipped[];
}

const RULES = { expectations: OPTION.object, scenarios: OPTION.list, label: OPTION.text };
const ACTION = "Cannot evaluate calls";

/** Message of a result whose call lacks the data for all of its expectations. */
export const LACKS_DATA = "The call lacks the data that the expectations need";

/**
 * Judges existing calls without running new ones: by criteria for the judge, and by the expectations of scenarios. An
 * expectation that a call lacks the data for is skipped and listed; a call without any verdict ends as
 * `error`. The calls themselves are not changed.
 *
 * @throws {ScenarioError} `invalid-option`, also without any call, criterion or expectation; `invalid-scenario`.
 * @throws What `run()` throws.
 * @example
 * ```ts
 * import { evaluate, readTimeline } from "callweave/calls";
 *
 * const call = readTimeline({ events: [{ type: "message", role: "agent", text: "Lumen, good morning." }] });
 * const report = await evaluate([call], { expectations: { includes: ["good morning"] } });
 * console.log(report.passed); // true
 * ```
 */
export async function evaluate(calls: readonly Call[], options: EvaluateOptions = {}): Promise<EvaluationReport> {
  checkOptions({ calls: calls ?? null }, { calls: OPTION.list }, ScenarioError, ACTION);
  checkOptions(isRecord(options) ? pick(options, Object.keys(RULES)) : (options ?? null), RULES, ScenarioError, ACTION);
  for (const [index, call] of calls.entries()) checkFinishedCall(call, ACTION, ["calls", index]);
  const { expectations = {}, scenarios = [], agent, label, store = false, ...shared } = options;
  const byName = groupBy(calls, nameOf);
  const known = new Map(scenariosAsPlayed(toScenarios(scenarios), calls).map((each) => [each.name, each]));
  const always = toScenario({ ...expectations, name: "every call" });
  const documents = [...byName].map(([name, { length }]) => documentFor(name, length, always, known.get(name)));
  checkWork(documents, options);
  const skipped: Skipped[] = [];
  const report = await runScenarios(
    agent ?? unknownAgent(),
    documents,
    {
      ...shared,
      store,
      repeat: { sequential: false }, // every call is judged, also after one that failed
      ...defined({ name: options.name ?? (agent ? undefined : "calls") }),
    },
    {
      variant: {
        kind: "imported",
        options: { evaluation: { calls: calls.flatMap(({ id }) => id ?? []), ...defined({ label }) } },
        isJudged: true,
        namesAreChecked: agent !== undefined,
        sharedReplies: shareReplies(documents, (name) => byName.get(name) ?? []),
        callOf: ({ scenario, trial }): PastCall => {
          const call = byName.get(scenario)?.[trial - 1];
          if (!call) throw new TypeError("unreachable: each trial has a call");
          return pastCall(call, (check) => {
            if (isKnown(call, check.kind)) return true;
            skipped.push({ scenario, trial, kind: check.kind, expected: check.expected });
            return false;
          });
        },
      },
    },
  );
  return { ...report, skipped };
}

function nameOf({ scenario, provenance }: Call): string {
  if (scenario !== undefined) return scenario;
  return provenance ? (provenance.callId ?? `${provenance.source} #${provenance.position}`) : "call";
}

/** Expectations for the calls of a name. */
function documentFor(name: string, repeat: number, always: Scenario, own: Scenario | undefined): Scenario {
  const all = own ?? toScenario({ name });
  return {
    ...all,
    user_prompt: "",
    says: [],
    speaks: null,
    metrics: [...all.metrics, ...always.metrics],
    includes: [...all.includes, ...always.includes],
    excludes: [...all.excludes, ...always.excludes],
    patterns: [...all.patterns, ...always.patterns],
    ...(all.each_reply || always.each_reply ? { each_reply: [...replyRules(all), ...replyRules(always)] } : {}),
    visits: always.visits.length > 0 ? always.visits : all.visits,
    avoids: [...new Set([...all.avoids, ...always.avoids])],
    extracts: { ...all.extracts, ...always.extracts },
    calls: [...all.calls, ...always.calls],
    ...defined({
      ends: always.ends ?? all.ends ?? undefined,
      end_state: always.end_state ?? all.end_state ?? undefined,
      answers_within_ms: always.answers_within_ms ?? all.answers_within_ms ?? undefined,
      ...Object.fromEntries(VOICE_EXPECTATIONS.map(({ key }) => [key, always[key] ?? all[key] ?? undefined])),
    }),
    dynamic_variables: {},
    repeat,
    gate: { pass_all: true },
  };
}

function checkWork(
  documents: readonly Scenario[],
  { judging: { metrics = [], policies = [], flow = false } = {} }: EvaluateOptions,
): void {
  const lists = (scenario: Scenario) => {
    const { metrics: judged, includes, excludes, patterns, visits, avoids, calls, checks } = scenario;
    const all = [judged, includes, excludes, patterns, visits, avoids, calls, checks ?? [], replyRules(scenario)];
    return all.some((list) => list.length > 0);
  };
  const hasWork = (each: Scenario) =>
    lists(each) ||
    expectsVoice(each) ||
    Boolean(each.ends ?? each.answers_within_ms ?? each.end_state) ||
    Object.keys(each.extracts).length > 0;
  const isGiven = metrics.length > 0 || policies.length > 0 || flow !== false;
  if (documents.length > 0 && (isGiven || documents.some(hasWork))) return;
  const [state, path] =
    documents.length === 0 ? ["there are none", "calls"] : ["there are no criteria or expectations", "judging"];
  throw new ScenarioError(`${ACTION}: ${state}`, {
    code: "invalid-option",
    path: [path],
    hint:
      documents.length === 0
        ? "Pass at least one call"
        : "Pass judging.metrics, expectations, or scenarios with the names of the calls",
  });
}

/**
 * Whether a call has the data for a kind of check. Calls of the engine have all; a transcript without nodes has no
 * path.
 */
function isKnown(call: Call, kind: CheckKind): boolean {
  const { nodesVisited, toolsCalled, variables, endReason, transcript } = call;
  const kinds = new Set(transcript.map(({ metadata }) => metadata.kind));
  const isComplete = call.provenance === undefined && nodesVisited.length > 0 && endReason !== undefined;
  if (kind === "ends") return endReason !== undefined;
  if (kind === "visits" || kind === "avoids" || kind === "policy") return nodesVisited.some((id) => id !== "");
  if (kind === "calls") return isComplete || toolsCalled.length > 0 || kinds.has("tool_call");
  if (kind === "extracts") return isComplete || Object.keys(variables).length > 0;
  return kind !== "latency" || (call.latency ?? []).length > 0;
}

/** Converts a past call to the form that a run judges. */
function pastCall(call: Call, isKnown: (check: CheckResult) => boolean): PastCall {
  const { transcript, nodesVisited, toolsCalled, variables, endReason, startVariables, provenance, latency } = call;
  const past: StartedCall = {
    transcript,
    nodesVisited,
    toolsCalled,
    variables: texts(variables),
    endReason,
    endDetail: undefined,
    turnCount: transcript.filter(({ role }) => role === "user").length,
    usage: [],
    error: undefined,
    startVariables: new Map(Object.entries(texts(startVariables ?? {}))),
    ...(latency ? { latency } : {}),
  };
  return {
    past,
    isKnown,
    complete: (result) => {
      const isJudged = result.checks.length + result.verdicts.length > 0 || result.status === "error";
      const broken = { status: "error", errorMessage: LACKS_DATA } as const;
      return {
        ...result,
        ...(isJudged ? {} : broken),
        variables,
        durationMs: call.durationMs ?? 0,
        ...defined({ startedAt: call.startedAt ?? undefined, provenance, latency }),
      };
    },
  };
}

function texts(values: JsonObject): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}
