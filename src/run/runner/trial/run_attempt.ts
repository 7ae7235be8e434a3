import { readableError } from "../../../base/values/mod.ts";
import { type CallAudio, heardTranscript } from "../../../call/audio/mod.ts";
import type { JudgedCall } from "../../../call/judges/mod.ts";
import type { CallOptions, CallUsage, Model, Retry } from "../../../call/models/mod.ts";
import { hasSteps, type Scenario } from "../../../document/scenario/mod.ts";
import type {
  AudioChange,
  AudioResult,
  CallerAudit,
  CheckResult,
  ConnectedCallFacts,
  Message,
  NotChecked,
  TextTwin,
  ToolCall,
  VarianceSample,
  Verdict,
} from "../../../document/transcript/mod.ts";
import { type NewResult, type ResultStatus, redactedResult } from "../../store/mod.ts";
import {
  callSettings,
  inCallSpan,
  inJudgeSpan,
  type ResolvedScenario,
  type RunSetup,
  renamed,
  resultVariables,
  runScenarioCall,
  type StartedCall,
} from "../call/mod.ts";
import { approximated } from "../caller_steps.ts";
import { notCheckedOf } from "../connected.ts";
import {
  auditCall,
  checkByCode,
  checkWithoutJudge,
  needsJudge,
  replyChecksOf,
  resultErrorWords,
  ruling,
  verdictsOf,
  verdictsOnWords,
  voiceChecksOf,
} from "../judging.ts";
import { DEFAULT_AUDIT, type TrialAttempt } from "../options.ts";
import { usageOf } from "../report.ts";
import { measureVariance } from "./measure_variance.ts";

/**
 * Runs a scenario's call and judges it. It never throws; errors become results:
 *
 * - `pass`: every expectation holds.
 * - `fail`: an expectation does not hold, or the call ended unexpectedly with `hop_limit`, `dead_air`,
 *   `budget_exceeded` or `turn_timeout`.
 * - `error`: a model could not be reached, gave unusable answers or let a turn time out; the caller or the runner
 *   failed; or the call ended unexpectedly with `failed`, because a model stayed silent or repeated a failing tool
 *   call.
 * - `cancelled`: the run was aborted before the call was finished and judged.
 * - `invalid`: the simulated caller was unreliable, see `audit`. Such a call is not judged.
 */
export async function runAttempt(resolved: ResolvedScenario, setup: RunSetup, slot: TrialAttempt): Promise<NewResult> {
  return await inCallSpan(setup.spans, slot, () => runAndJudge(resolved, setup, slot));
}

async function runAndJudge(resolved: ResolvedScenario, run: RunSetup, slot: TrialAttempt): Promise<NewResult> {
  const setup = withAudio(run);
  const { scenario } = resolved;
  const variantCall = setup.variant?.callOf(slot);
  const started = performance.now();
  const startedAt = setup.now();
  const judgeUsage: CallUsage[] = [];
  const repeatedUsage: CallUsage[] = [];
  let thrown: unknown;
  let retries = 0;
  const { listeners = {} } = setup.options;
  const onRetry = (retry: Retry) => {
    retries += 1;
    listeners.onRetry?.({ retry, ...slot });
    listeners.onProgress?.({ kind: "retry", ...slot, retry });
  };
  let call: StartedCall | undefined;
  let checks: readonly CheckResult[] = [];
  let verdicts: readonly Verdict[] = [];
  let audit: CallerAudit | undefined;
  let unseen: readonly string[] | undefined;
  let variance: VarianceSample | undefined;
  let heard: HeardTrial | undefined;
  const notChecked = [...notCheckedOf(resolved, setup)];
  let outcome: { status: ResultStatus; error: string | null };
  const ofJudge = () => ({
    ...callSettings("judge", slot, setup),
    onRetry,
    model: setup.judge,
    signal: setup.signal,
    onUsage: (usage: CallUsage) => void judgeUsage.push(usage),
  });
  try {
    call = await runScenarioCall(resolved, setup, { startedAt, onRetry, slot, variantCall });
    const isPast = variantCall !== undefined && "past" in variantCall;
    outcome = isPast ? { status: "pass", error: null } : ruling(call, scenario);
    if (call.audited && (outcome.status === "pass" || outcome.status === "fail")) {
      ({ audit, unseen } = await auditCall(call.audited, setup.options.judging?.audit ?? DEFAULT_AUDIT, ofJudge()));
      if (audit) outcome = { status: "invalid", error: null };
    }
    if (outcome.status === "pass" && setup.variant?.isJudged !== false) {
      checks = checkWithoutJudge(resolved, setup, call);
      notChecked.push(...unshown(voiceChecksOf(scenario, call).notChecked, notChecked));
      notChecked.push(...unshown(replyChecksOf(resolved, setup, call).notChecked, notChecked));
      const byCode = await checkByCode(resolved, setup, call, (each) => void notChecked.push(each));
      checks = [...checks, ...byCode];
      if (variantCall && "past" in variantCall) checks = checks.filter(variantCall.isKnown);
      const judged = call;
      if (needsJudge(resolved, setup))
        verdicts = await inJudgeSpan(setup.spans, () => verdictsOf(resolved, setup, judged, ofJudge()));
      if (![...checks, ...verdicts].every(({ passed }) => passed)) outcome = { status: "fail", error: null };
      else if (checks.length + verdicts.length === 0 && (setup.connected || notChecked.length > 0)) {
        const how = setup.connected ? `over "${setup.connected.connection.name}"` : "in text";
        outcome = { status: "error", error: `Nothing of the scenario could be checked ${how}` };
      }
      const onUsage = (usage: CallUsage) => void repeatedUsage.push(usage);
      const context = { slot, startedAt, onRetry, onUsage };
      if (call.audio)
        heard = await hearCall({ call, audio: call.audio, status: outcome.status, verdicts }, resolved, run, context);
      if (setup.options.repeat?.variance) {
        variance = await measureVariance({ call, checks, verdicts }, resolved, setup, context);
      }
    }
  } catch (error) {
    thrown = readableError(error);
    outcome = setup.signal.aborted
      ? { status: "cancelled", error: null }
      : { status: "error", error: resultErrorWords(thrown) };
  }
  const requests = [...(call?.usage ?? []), ...judgeUsage, ...repeatedUsage];
  setup.onCall(requests, call?.error ?? thrown, call && chargedFor(call, setup));
  const result = redactedResult<NewResult>({
    ...slot,
    status: outcome.status,
    startedAt: startedAt.toISOString(),
    transcript: heard?.transcript ?? call?.transcript ?? [],
    verdicts,
    checks,
    nodesVisited: call?.nodesVisited ?? [],
    toolsCalled: call?.toolsCalled ?? [],
    variables: call ? resultVariables(setup.graph, call.variables) : {},
    turnCount: call?.turnCount ?? 0,
    durationMs: performance.now() - started,
    usage: { ...usageOf(requests), ...(retries > 0 ? { retries } : {}) },
    endReason: call?.endReason,
    errorMessage: outcome.error,
    ...(call?.latency?.length ? { latency: call.latency } : {}),
    ...(scenario.caller || scenario.cast ? { caller: callerOfResult(scenario, unseen) } : {}),
    ...(audit ? { audit } : {}),
    ...(call?.offlinePath ? { offlinePath: call.offlinePath } : {}),
    ...(variance ? { variance } : {}),
    ...(heard ? { audio: heard.audio } : {}),
    ...(call?.connection ? { connection: connectionFacts(call, call.connection, notChecked, setup) } : {}),
    ...(setup.connected || notChecked.length === 0 ? {} : { notChecked }),
    ...(hasSteps(scenario) || call?.missed?.length ? approximated(call, scenario, setup) : {}),
    ...(call && call.startVariables.size > 0 ? { startVariables: Object.fromEntries(call.startVariables) } : {}),
  });
  // a past call stays that call if its judge fails
  const isKnown = outcome.status === "error" && variantCall !== undefined && "past" in variantCall;
  const isFinished = outcome.status === "pass" || outcome.status === "fail" || isKnown;
  return variantCall && isFinished ? redactedResult(variantCall.complete(result)) : result;
}

function callerOfResult({ caller, cast }: Scenario, unseen: readonly string[] | undefined): NewResult["caller"] {
  return { traits: caller ?? {}, ...(cast ? { cast } : {}), ...(unseen ? { unseen } : {}) };
}

/** Expectations that a call did not show, without those that are named already. */
function unshown(more: readonly NotChecked[], named: readonly NotChecked[]): readonly NotChecked[] {
  const isNamed = (each: NotChecked) =>
    named.some(({ kind, expected }) => kind === each.kind && expected === each.expected);
  return more.filter((each) => !isNamed(each));
}

/** What the platform charged for a call, in US dollars: as it says, else the most that it can be; `null`: not known. */
function chargedFor(
  { connection, turnCount }: { readonly connection?: ConnectedCallFacts | undefined; readonly turnCount: number },
  { connected }: Pick<RunSetup, "connected">,
): number | null {
  if (!connected) return 0;
  const { costPerReplyUsd } = connected.connection;
  // the opening is a reply, too
  return connection?.costUsd ?? (costPerReplyUsd ? (turnCount + 1) * costPerReplyUsd.most : null);
}

/** The connection of a call, with what could not be checked over it. */
function connectionFacts(
  { toolsCalled }: Pick<NewResult, "toolsCalled">,
  facts: ConnectedCallFacts,
  notChecked: readonly NotChecked[],
  { connected }: RunSetup,
): ConnectedCallFacts {
  const isMocked = connected?.connection.capabilities.mocks && toolsCalled.every(({ mocked }) => mocked);
  const isReal = connected?.allowRealTools === true && !isMocked;
  return { ...facts, ...(isReal ? { realTools: true } : {}), ...(notChecked.length > 0 ? { notChecked } : {}) };
}

/** Builds the result of a scenario that was cancelled before its call started. */
export function cancelledResult(slot: TrialAttempt, now: Date): NewResult {
  return {
    ...slot,
    status: "cancelled",
    startedAt: now.toISOString(),
    transcript: [],
    verdicts: [],
    checks: [],
    nodesVisited: [],
    toolsCalled: [],
    variables: {},
    turnCount: 0,
    durationMs: 0,
    usage: usageOf([]),
    errorMessage: null,
  };
}

/** A call that was run and judged in text. */
export interface WrittenCall {
  readonly call: StartedCall;
  readonly audio: CallAudio;
  readonly status: ResultStatus;
  readonly verdicts: readonly Verdict[];
}

/** The results of audio for a call. */
export interface HeardTrial {
  /** Messages that went through audio have `metadata.heard`. */
  readonly transcript: readonly Message[];
  readonly audio: AudioResult;
}

/** Dependencies of an audio call besides its setup. */
export interface AudioContext {
  readonly slot: TrialAttempt;
  readonly startedAt: Date;
  readonly onRetry: (retry: Retry) => void;
  /** Called with the usage of every request to a language model. */
  readonly onUsage: (usage: CallUsage) => void;
}

/** Audio calls have their own recordings: the agent hears other words than in text. */
function withAudio(setup: RunSetup): RunSetup {
  return setup.audio?.options.direction === "both" ? renamed(setup, "with audio") : setup;
}

/**
 * Sends a call's words through audio, judges the call by what was heard, and lists the differences from the same
 * scenario in text. If the caller's words go through audio too, the scenario runs once more in text.
 *
 * @param setup The run's own setup, without {@link withAudio}.
 * @throws {ModelError} When a model for audio or the judge fails.
 */
async function hearCall(
  { call, audio, status, verdicts }: WrittenCall,
  resolved: ResolvedScenario,
  setup: RunSetup,
  context: AudioContext,
): Promise<HeardTrial> {
  const listened = await audio.listen(call.transcript);
  const byEar = { ...call, transcript: heardTranscript(listened.transcript) };
  const heard = await judged(resolved, renamed(setup, "as heard"), byEar, context);
  const { direction = "agent", compareWithText = true } = setup.audio?.options ?? {};
  const base = { ...listened.audio, verdicts: heard };
  const outcome: AudioOutcome = {
    ...call,
    status: status === "pass" ? "pass" : "fail",
    verdicts: heard,
    errorMessage: null,
  };
  if (direction === "agent") {
    const changes = audioChanges({ ...outcome, verdicts }, outcome);
    return { transcript: listened.transcript, audio: { ...base, changes } };
  }
  if (!compareWithText) return { transcript: listened.transcript, audio: base };
  const twin = await runInText(resolved, setup, context);
  const { status: textStatus, errorMessage, nodesVisited, endReason } = twin;
  const text: TextTwin = { status: textStatus, errorMessage, nodesVisited, endReason };
  return { transcript: listened.transcript, audio: { ...base, text, changes: audioChanges(twin, outcome) } };
}

/** Runs the scenario of an audio call in text, with its own caller. Listeners are not called. */
async function runInText(resolved: ResolvedScenario, setup: RunSetup, context: AudioContext): Promise<AudioOutcome> {
  const { listeners: _listeners, ...options } = setup.options;
  const { audio: _audio, spans: _spans, ...rest } = setup;
  const text: RunSetup = { ...rest, options };
  try {
    const call = await runScenarioCall(resolved, text, context);
    for (const usage of call.usage) context.onUsage(usage);
    const { status, error } = ruling(call, resolved.scenario);
    if (status === "cancelled") setup.signal.throwIfAborted();
    if (status !== "pass") return { ...call, status: "error", errorMessage: error, verdicts: [] };
    const checks = [...checkWithoutJudge(resolved, text, call), ...(await checkByCode(resolved, text, call))];
    const verdicts = await verdictsOf(resolved, text, call, ofJudge(text, context));
    const isPassed = [...checks, ...verdicts].every(({ passed }) => passed);
    return { ...call, status: isPassed ? "pass" : "fail", errorMessage: null, verdicts };
  } catch (error) {
    if (setup.signal.aborted) throw error;
    const errorMessage = resultErrorWords(readableError(error));
    return {
      status: "error",
      errorMessage,
      verdicts: [],
      nodesVisited: [],
      toolsCalled: [],
      variables: {},
      endReason: undefined,
    };
  }
}

async function judged(
  resolved: ResolvedScenario,
  setup: RunSetup,
  { transcript }: StartedCall,
  context: AudioContext,
): Promise<readonly Verdict[]> {
  return await verdictsOnWords(resolved, setup, transcript, ofJudge(setup, context));
}

function ofJudge(setup: RunSetup, { slot, onRetry, onUsage }: AudioContext): CallOptions & { readonly model: Model } {
  return {
    ...callSettings("judge", slot, setup),
    onRetry,
    onUsage,
    model: setup.judge,
    signal: setup.signal,
  };
}

/** The outcome of a call, in text or with audio. */
export interface AudioOutcome extends Pick<JudgedCall, "nodesVisited" | "toolsCalled" | "variables" | "endReason"> {
  readonly status: TextTwin["status"];
  readonly errorMessage: string | null;
  readonly verdicts: readonly Verdict[];
}

/** Lists the differences between a scenario in text and with audio, the most important first. */
function audioChanges(text: AudioOutcome, audio: AudioOutcome): readonly AudioChange[] {
  const variables = new Set([...Object.keys(text.variables), ...Object.keys(audio.variables)]);
  const verdicts = new Map(audio.verdicts.map((verdict) => [verdict.criterion, verdict]));
  return [
    ...changed("status", text.status, audio.status),
    ...text.verdicts.flatMap(({ criterion, passed }) => {
      const heard = verdicts.get(criterion);
      return heard ? changed("criterion", wordOf(passed), wordOf(heard.passed), criterion) : [];
    }),
    ...changed("path", pathOf(text), pathOf(audio)),
    ...changed("end", text.endReason ?? null, audio.endReason ?? null),
    ...[...variables].flatMap((name) =>
      changed("variable", own(text.variables, name), own(audio.variables, name), name),
    ),
    ...toolChanges(text.toolsCalled, audio.toolsCalled),
  ];
}

function changed(
  kind: AudioChange["kind"],
  text: string | null,
  audio: string | null,
  name?: string,
): readonly AudioChange[] {
  return text === audio ? [] : [{ kind, ...(name === undefined ? {} : { name }), text, audio }];
}

/** Tool calls that only one of the two calls made, in any order. */
function toolChanges(text: readonly ToolCall[], audio: readonly ToolCall[]): readonly AudioChange[] {
  const [before, after] = [text, audio].map((calls) => calls.map(callText));
  const left = [...(after ?? [])];
  const missing = (before ?? []).filter((call) => {
    const at = left.indexOf(call);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [
    ...missing.map((call): AudioChange => ({ kind: "tool", text: call, audio: null })),
    ...left.map((call): AudioChange => ({ kind: "tool", text: null, audio: call })),
  ];
}

function callText({ name, arguments: args }: ToolCall): string {
  return `${name}(${JSON.stringify(args)})`;
}

function pathOf({ nodesVisited }: AudioOutcome): string {
  return nodesVisited.join(" -> ");
}

function wordOf(passed: boolean): string {
  return passed ? "passed" : "failed";
}

function own(variables: { readonly [name: string]: string }, name: string): string | null {
  return Object.hasOwn(variables, name) ? (variables[name] ?? null) : null;
}
