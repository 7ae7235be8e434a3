import { ModelError } from "../../base/errors.ts";
import { redact } from "../../base/redaction/mod.ts";
import { startTimeLimit, wordsWithHint } from "../../base/values/mod.ts";
import {
  type AuditedCall,
  auditCaller,
  auditFacts,
  checkExpectations,
  checkFlow,
  checkLatency,
  checkMessages,
  checkReplies,
  checkVoice,
  type FlowJudgement,
  type JudgedCall,
  type JudgedReplies,
  judgedReplyCount,
  judgeFlow,
  judgeMetrics,
  judgeReplies,
  judgesNeeded,
  type ReplyChecks,
  replyRequests,
  runOwnChecks,
  type VoiceChecks,
} from "../../call/judges/mod.ts";
import {
  type CallOptions,
  type CallSettings,
  createCallClock,
  DEFAULT_RETRIES,
  DEFAULT_TRY_TIMEOUT_MS,
  type Model,
} from "../../call/models/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import {
  expectsEndState,
  expectsVoice,
  judgedReplyRules,
  type RunMetric,
  replyRules,
  type Scenario,
} from "../../document/scenario/mod.ts";
import type {
  AuditFinding,
  CallerAudit,
  CheckResult,
  Message,
  NotChecked,
  Verdict,
} from "../../document/transcript/mod.ts";
import type { ResultStatus } from "../store/mod.ts";
import {
  checkedCall,
  type EngineCall,
  type ReplySharing,
  type ResolvedScenario,
  type RunSetup,
  type StartedCall,
} from "./call/mod.ts";
import { onlyChecked, reportedPath, reportedReplies, unreadCheck, watchedChecks } from "./connected.ts";
import { type AuditMode, flowJudgement, type RunOptions } from "./options.ts";
import { checkCallPolicies } from "./policy_checks.ts";

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
 * Everything that the judge's model judges of a call: its criteria, those for each reply and, if the run asks for it, its
 * path.
 */
export async function verdictsOf(
  resolved: ResolvedScenario,
  setup: RunSetup,
  call: JudgedCall,
  options: CallOptions & { readonly model: Model },
): Promise<readonly Verdict[]> {
  const { graph, options: run, connected, sharing } = setup;
  const judgement = connected ? undefined : flowJudgement(run);
  const path = () => judgement && judgePath(graph, call, { ...options, judgement });
  const ahead = sharing && (await path()); // a call that has waited for others asks nothing more
  const verdicts = await verdictsOnWords(resolved, setup, call.transcript, options);
  const ofPath = sharing ? ahead : await path();
  return ofPath ? [...verdicts, ofPath] : verdicts;
}

/** What the judge's model judges of a call's words: its criteria, and those for each reply. */
export async function verdictsOnWords(
  { metrics, scenario, replyPatterns: patterns }: ResolvedScenario,
  { connected, variant, sharing }: Pick<RunSetup, "connected" | "variant" | "sharing">,
  transcript: readonly Message[],
  options: CallOptions & { readonly model: Model },
): Promise<readonly Verdict[]> {
  const verdicts = metrics.length > 0 ? await judgeCall(metrics, transcript, options) : [];
  const rules = judgedReplyRules(reportedReplies(scenario, { connected }));
  if (rules.length === 0) return verdicts;
  const judge = ({ transcripts }: Pick<JudgedReplies, "transcripts">) => {
    const replies = transcripts.reduce((sum, each) => sum + judgedReplyCount(rules, each, patterns), 0);
    const call = { transcripts, patterns };
    return inTime(replyRequests(replies), options, (limited) =>
      judgeReplies(rules, call, sharing ? { ...limited, around: sharedAround(sharing, limited) } : limited),
    );
  };
  const count = (each: readonly Message[]) => judgedReplyCount(rules, each, patterns);
  const shared = variant?.sharedReplies?.(rules, transcript, { count, judge });
  const ofReplies = shared ? await shared : (await judge({ transcripts: [transcript] }))[0];
  return [...verdicts, ...(ofReplies ?? [])];
}

/** Lets requests wait for those of other calls inside of recordings: each call records its own. */
function sharedAround(sharing: ReplySharing, options: JudgeOptions): NonNullable<CallOptions["around"]> {
  return (call) => [...(options.around?.(call) ?? []), sharing(options)];
}

/** Calls wait for each other's replies until they have so many together. */
export const ENOUGH_REPLIES = 20;

/**
 * Whether the calls of a scenario wait for each other's replies. Their verdicts come later then, so that it does not hold
 * where a verdict decides which calls are made, nor where the judge itself is measured or work follows the verdict.
 */
export function sharesReplies(
  {
    scenario,
    sequential,
    planned,
  }: { readonly scenario: Scenario; readonly sequential: boolean; readonly planned: number },
  { limits: { failFast } = {}, repeat: { variance } = {}, audio }: Pick<RunOptions, "limits" | "repeat" | "audio">,
  judge: string,
): boolean {
  if (failFast || variance || audio || (sequential && planned > 1)) return false;
  if (judge === "callweave/offline") return false; // no server answers it
  return judgedReplyRules(scenario).length > 0;
}

/** Whether the judge's model judges anything of the calls of a scenario. */
export function needsJudge({ metrics, scenario }: ResolvedScenario, { options }: Pick<RunSetup, "options">): boolean {
  return metrics.length > 0 || judgedReplyRules(scenario).length > 0 || flowJudgement(options) !== undefined;
}

/**
 * Audits the simulated caller of a finished call. The judge's model is asked only if the facts alone, and the rules for its
 * traits, show nothing.
 *
 * @returns The findings; `undefined` when there are none.
 * @throws {ModelError} When the judge's model fails.
 */
export async function auditCall(
  call: AuditedCall,
  mode: AuditMode,
  options: CallOptions & { readonly model: Model },
): Promise<AuditOfCall> {
  if (mode === "off") return {};
  // a caller who lies may state what nobody gave it
  const isLying = call.traits?.honesty === "lying";
  const invented = isLying ? [] : auditFacts(call);
  if (invented.length > 0) return { audit: { findings: invented } };
  const { findings: own, unseen } = await auditOwnTraits(call, options);
  if (own.length > 0) return { audit: { findings: own } };
  const asked = mode === "judge" ? await auditCaller(call, options) : [];
  const findings = isLying ? asked.filter(({ kind }) => kind !== "invented-fact") : asked;
  if (findings.length > 0) return { audit: { findings } };
  return unseen.length > 0 ? { unseen } : {};
}

/** Reasons why a call is invalid, else the traits that it gave no occasion to show. */
type AuditOfCall = { readonly audit?: CallerAudit; readonly unseen?: readonly string[] };

/** Audits the traits of a caller that has some. */
async function auditOwnTraits(
  call: AuditedCall,
  options: CallOptions & { readonly model: Model },
): Promise<{ readonly findings: readonly AuditFinding[]; readonly unseen: readonly string[] }> {
  if (!call.traits) return { findings: [], unseen: [] };
  const { auditTraits } = await import("../../call/judges/traits/mod.ts"); // most calls have no traits
  return await auditTraits(call, options);
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
export function judgeLimitMs({ tryTimeoutMs = DEFAULT_TRY_TIMEOUT_MS, retry = {} }: CallSettings): number {
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
    ...voiceChecksOf(scenario, call).checks,
    ...replyChecksOf(resolved, setup, call).checks,
    ...(setup.connected || policies.length === 0 ? [] : checkCallPolicies(graph, policies, call)),
  ];
  return onlyChecked(checks, resolved, setup);
}

/** Results of the rules for each reply, and those that apply to no reply of the call. */
export function replyChecksOf(
  { scenario, replyPatterns }: ResolvedScenario,
  { connected }: Pick<RunSetup, "connected">,
  call: StartedCall,
): ReplyChecks {
  if (replyRules(scenario).length === 0) return { checks: [], notChecked: [] };
  return checkReplies(reportedReplies(scenario, { connected }), call, replyPatterns);
}

/** Results of the expectations about what is heard, and those that the call does not show. */
export function voiceChecksOf(scenario: Scenario, { transcript, latency, connection }: StartedCall): VoiceChecks {
  if (!expectsVoice(scenario)) return { checks: [], notChecked: [] };
  return checkVoice(scenario, { transcript, latency, voice: connection?.voice });
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
  const limits = { threshold, signal, timers };
  const results = [...(await runOwnChecks(checks, checked, limits))];
  if (expectsEndState(scenario) && !connected) {
    const { checkEndState, RECORDED_TOOLS } = await import("./end_state.ts"); // most scenarios have none
    const end = call.endState ? { state: call.endState } : { unknown: RECORDED_TOOLS };
    const ofState = await checkEndState(scenario, end, checked, limits);
    results.push(...ofState.checks);
    for (const each of ofState.notChecked) onNotChecked(each);
  }
  for (const [name, reason] of unread) {
    if (connected?.unchecked !== "report") throw unreadCheck(name, reason);
    onNotChecked({ kind: "check", expected: name, reason });
  }
  return results.filter(({ expected }) => !unread.has(expected));
}
