import type { JsonObject } from "../../../src/base/values/mod.ts";
import { own, recordAt } from "../../../src/base/values/mod.ts";
import type { EndReason } from "../../../src/document/transcript/mod.ts";
import {
  CallDraft,
  callFrom,
  NotACallError,
  numberAt,
  type RecordedCall,
  type RecordPlace,
  textAt,
  timeFrom,
} from "../../reading/mod.ts";
import { retellLatency } from "./latency.ts";
import { RETELL_REASONS } from "./reasons.ts";
import { readRetellTurns } from "./turns.ts";

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
