import {
  BROKEN,
  type CallEvent,
  type CallPosition,
  isAny,
  NOTED,
  ruleText,
  ruleWatch,
  searchFrom,
} from "../../agent/analysis/mod.ts";
import { ModelError } from "../../base/errors.ts";
import { redact } from "../../base/redaction/mod.ts";
import { isRecord, own, startTimeLimit, wordsWithHint } from "../../base/values/mod.ts";
import {
  type AuditedCall,
  auditCaller,
  auditFacts,
  checkExpectations,
  checkFlow,
  checkLatency,
  checkMessages,
  type FlowJudgement,
  type JudgedCall,
  judgeFlow,
  judgeMetrics,
  judgesNeeded,
  runOwnChecks,
} from "../../call/judges/mod.ts";
import {
  type CallOptions,
  type CallSettings,
  createCallClock,
  DEFAULT_RETRIES,
  DEFAULT_TRY_TIMEOUT_MS,
  type Model,
} from "../../call/models/mod.ts";
import { valueAtJsonPath } from "../../call/turn/mod.ts";
import { equationHolds, textOf } from "../../document/expressions/mod.ts";
import { type AgentGraph, openingOf } from "../../document/graph/mod.ts";
import type { Policy, PolicyRule, RunMetric, Scenario } from "../../document/scenario/mod.ts";
import type {
  Call,
  CallerAudit,
  CheckResult,
  EndReason,
  Message,
  NotChecked,
  Verdict,
} from "../../document/transcript/mod.ts";
import type { ResultStatus } from "../store/mod.ts";
import { checkedCall, type EngineCall, type ResolvedScenario, type RunSetup, type StartedCall } from "./call/mod.ts";
import { onlyChecked, reportedPath, unreadCheck, watchedChecks } from "./connected.ts";
import { type AuditMode, flowJudgement } from "./options.ts";

/** Everything that the judge's model judges of a call: its criteria and, if the run asks for it, its path. */
export async function verdictsOf(
  { metrics }: ResolvedScenario,
  { graph, options: run, connected }: RunSetup,
  call: JudgedCall,
  options: CallOptions & { readonly model: Model },
): Promise<readonly Verdict[]> {
  const verdicts = metrics.length > 0 ? await judgeCall(metrics, call.transcript, options) : [];
  const judgement = connected ? undefined : flowJudgement(run);
  const path = judgement && (await judgePath(graph, call, { ...options, judgement }));
  return path ? [...verdicts, path] : verdicts;
}

/** Derives a verdict from how the call ended. `pass` means that checks and judge decide. */
export function ruling(
  { endReason, endDetail, error }: EngineCall,
  { ends }: Scenario,
): { status: ResultStatus; error: string | null } {
  if (error !== undefined && !(endReason === "turn_timeout" && ends === "turn_timeout"))
    return { status: "error", error: resultErrorWords(error) };
  if (endReason === "aborted") return { status: "cancelled", error: null };
  if (endReason === "failed" && ends !== "failed") {
    return { status: "error", error: `The agent's model is stuck: ${endDetail ?? "the turn failed"}` };
  }
  return { status: "pass", error: null };
}

/** Formats an error for a result: its message and hint, with secrets redacted. */
export function resultErrorWords(error: unknown): string {
  return redact(wordsWithHint(error));
}

/**
 * Audits the simulated caller of a finished call. The judge's model is asked only if the facts alone show nothing.
 *
 * @returns The findings; `undefined` when there are none.
 * @throws {ModelError} When the judge's model fails.
 */
export async function auditCall(
  call: AuditedCall,
  mode: AuditMode,
  options: CallOptions & { readonly model: Model },
): Promise<CallerAudit | undefined> {
  if (mode === "off") return undefined;
  const invented = auditFacts(call);
  const findings = invented.length > 0 || mode === "facts" ? invented : await auditCaller(call, options);
  return findings.length > 0 ? { findings } : undefined;
}

/**
 * Maximum number of requests per judgement: the second is sent if the provider rejects a keyword of the JSON Schema.
 */
const QUESTIONS = 2;

type JudgeOptions = CallOptions & { readonly model: Model };

/**
 * Judges a call by its criteria with a time limit. Each request has its own limit, but middleware around it may never
 * settle.
 *
 * @throws {ModelError} `model-timeout` after the longest time that all requests and retry delays can take.
 */
export async function judgeCall(
  metrics: readonly RunMetric[],
  transcript: readonly Message[],
  options: JudgeOptions,
): Promise<readonly Verdict[]> {
  return await inTime(judgesNeeded(metrics), options, (limited) => judgeMetrics(metrics, transcript, limited));
}

/**
 * Judges the path of a call, with the same kind of time limit as {@link judgeCall}.
 *
 * @throws {ModelError} `model-timeout`.
 */
async function judgePath(
  graph: AgentGraph,
  call: JudgedCall,
  { judgement, ...options }: JudgeOptions & { readonly judgement: FlowJudgement },
): Promise<Verdict | undefined> {
  return await inTime(judgement.panel ?? 1, options, (limited) => judgeFlow(graph, call, { ...judgement, ...limited }));
}

async function inTime<Result>(
  judges: number,
  options: JudgeOptions,
  judge: (limited: JudgeOptions) => Promise<Result>,
): Promise<Result> {
  const limitMs = Math.min(2 ** 31 - 1, Math.max(1, judges) * judgeLimitMs(options));
  const { clock = createCallClock() } = options;
  using limit = startTimeLimit(limitMs, options.signal, clock);
  try {
    return await limit.until(judge({ ...options, clock, signal: limit.signal }));
  } catch (error) {
    throw limit.expired() ? tooLong(limitMs) : error;
  }
}

/** Returns the longest time that a judge's requests can take within their own limits, in milliseconds. */
function judgeLimitMs({ tryTimeoutMs = DEFAULT_TRY_TIMEOUT_MS, retry = {} }: CallSettings): number {
  const { retries = DEFAULT_RETRIES.retries, maxDelayMs = DEFAULT_RETRIES.maxDelayMs } = retry;
  return Math.min(2 ** 31 - 1, QUESTIONS * (retries + 1) * (tryTimeoutMs + maxDelayMs));
}

function tooLong(limitMs: number): ModelError {
  return new ModelError(`Cannot judge the call: the judge did not answer within ${limitMs} ms`, {
    code: "model-timeout",
    hint: "Check the middleware around judge calls, or use a faster model",
  });
}

/** Checks the expectations that need no judge: texts, path, ending, variables, tools and policies. */
export function checkWithoutJudge(
  resolved: ResolvedScenario,
  setup: RunSetup,
  call: StartedCall,
): readonly CheckResult[] {
  const { scenario, patterns } = resolved;
  const { graph, policies } = setup;
  const checks = [
    ...checkMessages(scenario, patterns, call),
    ...checkFlow(reportedPath(scenario, setup), call),
    ...checkExpectations(scenario, call),
    ...checkLatency(scenario, call),
    ...(setup.connected ? [] : checkCallPolicies(graph, policies, call)),
  ];
  return onlyChecked(checks, resolved, setup);
}

/**
 * Runs the check functions of a scenario.
 *
 * @param onNotChecked Called for checks that read what the connection of the run does not report; they have no result.
 * @throws {ScenarioError} `missing-capability` for such a check, if the run refuses them.
 */
export async function checkByCode(
  { scenario }: ResolvedScenario,
  { graph, connected, options: { judging: { threshold } = {} }, signal, timers }: RunSetup,
  call: StartedCall,
  onNotChecked: (check: NotChecked) => void = () => {},
): Promise<readonly CheckResult[]> {
  const checked = checkedCall(scenario.name, call, graph);
  const { checks, unread } = watchedChecks(scenario, { connected });
  const results = await runOwnChecks(checks, checked, { threshold, signal, timers });
  for (const [name, reason] of unread) {
    if (connected?.unchecked !== "report") throw unreadCheck(name, reason);
    onNotChecked({ kind: "check", expected: name, reason });
  }
  return results.filter(({ expected }) => !unread.has(expected));
}

/** Checks policies against a call, by the same rules that `checkPolicies()` decides on the graph. */
function checkCallPolicies(graph: AgentGraph, policies: readonly Policy[], call: TracedCall): readonly CheckResult[] {
  return policies.map(({ name, rules }): CheckResult => {
    const breach = rules.map((rule) => breachOf(graph, rule, call)).find((reason) => reason !== undefined);
    return { kind: "policy", expected: name, passed: breach === undefined, reason: breach ?? "no rule is broken" };
  });
}

/** Why a call breaks a rule. */
function breachOf(graph: AgentGraph, rule: PolicyRule, call: TracedCall): string | undefined {
  const { start, next, ahead } = ruleWatch(graph, rule);
  let state = start;
  let breach: string | undefined;
  let last: CallPosition | undefined;
  const visited: string[] = [];
  followTrace(graph, call, {
    onEvent: (event, variables) => {
      if (event.kind === "enter") visited.push(event.node);
      const values = Object.fromEntries(variables);
      state = next(state, event, (condition) => equationHolds(condition, values));
      if (state === BROKEN) breach ??= `${ruleText(rule)}: broken on ${visited.join(" -> ")}`;
    },
    onWait: (position) => {
      last = state === NOTED ? position : undefined;
    },
  });
  if (breach !== undefined || !ahead || !last) return breach;
  // if the goal is unreachable at one moment, it stays unreachable, so checking the last moment is enough
  const answer = searchFrom(graph, last, (event) => isAny(ahead, event));
  if (answer.kind !== "none") return undefined;
  return `${ruleText(rule)}: no way there from "${last.node}", on ${visited.join(" -> ")}`;
}

/** A finished call, with its start variables. */
export interface TracedCall extends Pick<Call, "transcript" | "endReason"> {
  readonly startVariables: ReadonlyMap<string, string>;
}

/** A tracker of a call's events. */
export interface TraceListener {
  readonly onEvent: (event: CallEvent, variables: ReadonlyMap<string, string>) => void;
  /** Called whenever the agent waits for the caller. */
  readonly onWait: (position: CallPosition) => void;
}

/** Endings at which the agent was waiting for the caller. */
const WHILE_WAITING: readonly (EndReason | undefined)[] = [
  undefined,
  "caller_ended",
  "caller_exhausted",
  "max_turns",
  "dead_air",
];

/** Converts a transcript to the events that paths through the graph have. */
export function followTrace(graph: AgentGraph, call: TracedCall, { onEvent, onWait }: TraceListener): void {
  const variables = new Map(call.startVariables);
  const originators: string[] = [];
  let node = graph.entry_node_id;
  let spoken = false;
  const isGlobal = (id: string) => Boolean(own(graph.nodes, id)?.global_node_setting);
  const emitEvent = (event: CallEvent) => onEvent(event, variables);
  const wait = () => onWait({ node, originators: [...originators], variables: new Map(variables), spoken });

  function move(to: string): void {
    if (isGlobal(node) && originators.at(-1) === to) originators.pop();
    else if (isGlobal(to)) originators.push(node);
    else if (isGlobal(node)) originators.pop();
    node = to;
    spoken = false;
    emitEvent({ kind: "enter", node });
  }

  function store(values: Iterable<readonly [string, unknown]>): void {
    for (const [name, value] of values) {
      const text = textOf(value);
      if (text !== undefined) variables.set(name, text);
    }
    emitEvent({ kind: "set", node });
  }

  function answered(name: string, outcome: unknown, result: unknown): void {
    if (outcome !== "succeeded" && outcome !== "failed") return;
    emitEvent({ kind: "tool", node, tool: name, outcome });
    const tool = own(graph.nodes, node)?.tools.find((each) => each.name === name);
    const paths = Object.entries(tool?.response_variables ?? {});
    if (outcome === "succeeded" && paths.length > 0)
      store(paths.map(([variable, path]) => [variable, valueAtJsonPath(result, path)] as const));
  }

  emitEvent({ kind: "enter", node });
  for (const [index, { role, metadata }] of call.transcript.entries()) {
    if (role === "user") wait();
    if (role === "assistant") {
      const isBegin = index === 0 && openingOf(graph) === "begin";
      if (!isBegin) spoken = true;
      emitEvent({ kind: "speak", node, ...(isBegin ? { isBegin } : {}) });
    }
    if (role !== "tool") continue;
    const { kind, to, variables: extracted, name, outcome, result } = metadata;
    if (kind === "transition" && typeof to === "string") move(to);
    if (kind === "extraction" && isRecord(extracted)) store(Object.entries(extracted));
    if (kind === "tool_call" && typeof name === "string") answered(name, outcome, result);
  }
  if (WHILE_WAITING.includes(call.endReason)) wait();
  else if (call.endReason) emitEvent({ kind: "end", node, reason: call.endReason });
}
