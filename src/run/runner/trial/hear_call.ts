import { readableError } from "../../../base/values/mod.ts";
import { type CallAudio, heardTranscript } from "../../../call/audio/mod.ts";
import type { JudgedCall } from "../../../call/judges/mod.ts";
import type { CallOptions, CallUsage, Model, Retry } from "../../../call/models/mod.ts";
import type {
  AudioChange,
  AudioResult,
  Message,
  TextTwin,
  ToolCall,
  Verdict,
} from "../../../document/transcript/mod.ts";
import type { ResultStatus } from "../../store/mod.ts";
import {
  callSettings,
  type ResolvedScenario,
  type RunSetup,
  renamed,
  runScenarioCall,
  type StartedCall,
} from "../call/mod.ts";
import { checkByCode, checkWithoutJudge, resultErrorWords, ruling, verdictsOf, verdictsOnWords } from "../judging.ts";
import type { TrialAttempt } from "../options.ts";

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

/**
 * Sends a call's words through audio, judges the call by what was heard, and lists the differences from the same
 * scenario in text. If the caller's words go through audio too, the scenario runs once more in text.
 *
 * @param setup The run's own setup, with the recordings of the calls in text.
 * @throws {ModelError} When a model for audio or the judge fails.
 */
export async function hearCall(
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
