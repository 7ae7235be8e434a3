import { type JsonObject, jsonOrText, own, recordAt, recordsAt } from "../../../src/base/values/mod.ts";
import type { EndReason, TurnLatency } from "../../../src/document/transcript/mod.ts";
import {
  argumentsFrom,
  CallDraft,
  callFrom,
  NotACallError,
  numberAt,
  outcomeOf,
  type RecordedCall,
  type RecordPlace,
  sayLabelledText,
  textAt,
  timeFrom,
} from "../../reading/mod.ts";

/** Webhook events after which a call does not change. */
const LAST_EVENTS = ["call_ended", "call_analyzed"];
/** Statuses of unfinished calls. */
const OPEN = ["registered", "ongoing"];
/** Fields of which a finished call has at least one; the reply to a request that creates a call has none. */
const MARKS_OF_END = [
  ...["end_timestamp", "disconnection_reason", "duration_ms", "transcript", "transcript_object"],
  ...["transcript_with_tool_calls", "scrubbed_transcript_with_tool_calls"],
];
/** Fields of a call that are kept besides its messages. */
const FACTS = [
  "call_type",
  "direction",
  "from_number",
  "to_number",
  "agent_name",
  "agent_version",
  "agent_tag",
  "transfer_destination",
  "call_analysis",
  "call_cost",
  "llm_token_usage",
  "metadata",
  "custom_attributes",
  "telephony_identifier",
  "transfer_end_timestamp",
  "latency",
  "recording_url",
  "recording_multi_channel_url",
  "scrubbed_recording_url",
  "scrubbed_recording_multi_channel_url",
  "public_log_url",
];

/** Whether a record is a call of Retell. */
export function isRetellCall(record: JsonObject): boolean {
  const marks = ["call_status", "call_type", "agent_id", "transcript_object", "disconnection_reason"];
  return textAt(record, "call_id") !== undefined && marks.some((key) => Object.hasOwn(record, key));
}

/** Whether a record is an event of Retell's webhook. */
export function isRetellEvent(record: JsonObject): boolean {
  return textAt(record, "event") !== undefined && isRetellCall(recordAt(record, "call"));
}

/**
 * Returns the call of a webhook's event.
 *
 * @throws {NotACallError} `skipped` for events during a call.
 */
export function retellEventCall(record: JsonObject): JsonObject {
  const event = textAt(record, "event") ?? "";
  if (!LAST_EVENTS.includes(event)) throw new NotACallError(`event "${event}" does not end a call`, "skipped");
  return recordAt(record, "call");
}

/**
 * Reads a call of Retell's API.
 *
 * @throws {NotACallError} `skipped` for a call that is not over.
 * @see https://docs.retellai.com/api-references/get-call
 */
export function readRetellCall(record: JsonObject, place: RecordPlace): RecordedCall {
  const status = textAt(record, "call_status") ?? "";
  if (OPEN.includes(status)) throw new NotACallError(`the call is not over: its status is "${status}"`, "skipped");
  if (status === "" && !MARKS_OF_END.some((key) => own(record, key) !== undefined))
    throw new NotACallError("the call is not over: it has no status, end or transcript", "skipped");
  const startMs = timeFrom(own(record, "start_timestamp"));
  const endMs = timeFrom(own(record, "end_timestamp"));
  const draft = new CallDraft(startMs ?? 0);
  const answers = readRetellTurns(record, draft);
  const reason = textAt(record, "disconnection_reason");
  return callFrom(draft, {
    format: "retell",
    place,
    callId: textAt(record, "call_id"),
    agentId: textAt(record, "agent_id"),
    startMs,
    durationMs:
      numberAt(record, "duration_ms") ?? (startMs !== undefined && endMs !== undefined ? endMs - startMs : undefined),
    reason,
    endReason: (reason === undefined ? undefined : own<EndReason | null>(RETELL_REASONS, reason)) ?? undefined,
    startVariables: recordAt(record, "retell_llm_dynamic_variables"),
    variables: recordAt(record, "collected_dynamic_variables"),
    latency: retellLatency(answers, recordAt(record, "latency")),
    kept: Object.fromEntries(FACTS.map((key) => [key, own(record, key)])),
  });
}

/**
 * Returns how long the caller waited in each turn: Retell's end-to-end figures where it has one for each answer, else
 * the silence between the words.
 */
function retellLatency(answers: readonly TurnAnswer[], latency: JsonObject): readonly TurnLatency[] {
  const replies = answers.filter(({ turn }) => turn > 0);
  const values = own(recordAt(latency, "e2e"), "values");
  const measured = Array.isArray(values) && values.length === replies.length ? values : [];
  return replies.flatMap(({ turn, nodeId, gapMs }, index) => {
    const value: unknown = measured[index] ?? gapMs;
    return typeof value === "number" && Number.isFinite(value) ? [{ turn, nodeId, firstWordMs: value }] : [];
  });
}

/**
 * Maps Retell's reasons to how a call ended. `null`: nobody ended the conversation, or there was none.
 *
 * @see https://docs.retellai.com/reliability/debug-call-disconnect
 */
const RETELL_REASONS = {
  user_hangup: "caller_ended",
  agent_hangup: "agent_ended",
  call_transfer: "agent_transferred",
  transfer_bridged: "agent_transferred",
  transfer_cancelled: null,
  call_take_over: null, // a person took over
  manual_stopped: "aborted",
  max_duration_reached: "budget_exceeded",
  inactivity: null, // the caller was silent
  voicemail_reached: null,
  ivr_reached: null,
  user_declined: null,
  marked_as_spam: null,
  scam_detected: null,
  dial_busy: null,
  dial_failed: null,
  dial_no_answer: null,
  invalid_destination: null,
  registered_call_timeout: null,
  error_user_not_joined: null,
  telephony_provider_permission_denied: "failed",
  telephony_provider_unavailable: "failed",
  sip_routing_error: "failed",
  concurrency_limit_reached: "failed",
  no_concurrency_fallback: "failed",
  no_valid_payment: "failed",
  error_llm_websocket_open: "failed",
  error_llm_websocket_lost_connection: "failed",
  error_llm_websocket_runtime: "failed",
  error_llm_websocket_corrupt_payload: "failed",
  error_no_audio_received: "failed",
  error_asr: "failed",
  error_retell: "failed",
  error_unknown: "failed",
} as const satisfies { readonly [reason: string]: EndReason | null };

/** Every reason that Retell documents. */
export type RetellReason = keyof typeof RETELL_REASONS;

/** An answer of the agent: its first utterance after the caller's. */
export interface TurnAnswer {
  /** Number of the caller's turn, from 1; 0 for the opening. */
  readonly turn: number;
  readonly nodeId: string;
  /** From the caller's last word to the agent's first one, by the words' times. */
  readonly gapMs: number | undefined;
}

const MS = 1_000;

/**
 * Adds the messages of a Retell call to its draft: from the transcript with tools and transitions if there is one,
 * else from the utterances, else from the transcript as text.
 *
 * @returns The agent's answers.
 */
function readRetellTurns(record: JsonObject, draft: CallDraft): readonly TurnAnswer[] {
  const lists = ["transcript_with_tool_calls", "scrubbed_transcript_with_tool_calls", "transcript_object"];
  const lines = lists.map((key) => recordsAt(record, [key])).find((list) => list.length > 0);
  if (!lines) {
    sayLabelledText(textAt(record, "transcript") ?? "", draft);
    return [];
  }
  const results = new Map(
    lines.filter(({ role }) => role === "tool_call_result").map((line) => [own(line, "tool_call_id"), line]),
  );
  const answers: TurnAnswer[] = [];
  let turn = 0;
  let speaker = "";
  let heardMs: number | undefined;
  for (const line of lines) {
    const role = textAt(line, "role") ?? "";
    const content = textAt(line, "content") ?? "";
    const { fromMs, toMs } = wordTimes(line);
    if (role === "agent") {
      if (speaker !== role) {
        const gapMs = fromMs === undefined || heardMs === undefined ? undefined : Math.max(0, fromMs - heardMs);
        answers.push({ turn, nodeId: draft.at, gapMs });
      }
      draft.say("assistant", content, fromMs);
    } else if (role === "user") {
      if (speaker !== role) turn++;
      heardMs = toMs;
      draft.say("user", content, fromMs);
    } else addEvent(draft, { role, line, result: results.get(own(line, "tool_call_id")) });
    if (role === "agent" || role === "user") speaker = role;
  }
  return answers;
}

function addEvent(
  draft: CallDraft,
  { role, line, result }: { readonly role: string; readonly line: JsonObject; readonly result: JsonObject | undefined },
): void {
  const seconds = numberAt(line, "time_sec");
  const atMs = seconds === undefined ? undefined : seconds * MS;
  const content = textAt(line, "content") ?? "";
  if (role === "node_transition" || role === "state_transition") addMove(draft, line, atMs);
  else if (role === "tool_call_invocation") {
    const value = jsonOrText(own(result ?? {}, "content") ?? null);
    const successful = own(result ?? {}, "successful");
    draft.call(
      {
        name: textAt(line, "name") ?? "",
        arguments: argumentsFrom(own(line, "arguments")),
        result: value,
        outcome: typeof successful === "boolean" ? (successful ? "succeeded" : "failed") : outcomeOf(value),
      },
      atMs,
    );
  } else if (role === "dtmf") draft.say("user", textAt(line, "digit") ?? "", atMs, { dtmf: true });
  else if (role === "transfer_target") draft.say("system", content, wordTimes(line).fromMs, { speaker: role });
  else if (role === "sms" || role === "injected") draft.say("system", content, atMs, { kind: role });
}

/** The first transition of real calls comes from "begin", which is no node. */
function addMove(draft: CallDraft, line: JsonObject, atMs: number | undefined): void {
  const nodeOf = (which: string) =>
    textAt(line, `${which}_node_id`) ?? textAt(line, `${which}_state_name`) ?? textAt(line, `${which}_node_name`) ?? "";
  const from = nodeOf("former");
  if (from !== "begin") draft.enter(from);
  const type = textAt(line, "transition_type");
  draft.arrive(nodeOf("new"), type === undefined ? "Retell's transition" : `Retell's transition (${type})`, atMs);
}

/** When the first word of a line began and the last one ended, from the start of the call. */
function wordTimes(line: JsonObject): { readonly fromMs: number | undefined; readonly toMs: number | undefined } {
  const words = recordsAt(line, ["words"]);
  const [first, last] = [words[0], words.at(-1)];
  const ms = (word: JsonObject | undefined, key: string) => {
    const seconds = word && numberAt(word, key);
    return seconds === undefined ? undefined : Math.round(seconds * MS);
  };
  return { fromMs: ms(first, "start"), toMs: ms(last, "end") };
}
