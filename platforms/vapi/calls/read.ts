import { isRecord, type JsonObject, omit, own, recordAt, recordsAt } from "../../../src/base/values/mod.ts";
import type { EndReason, TurnLatency } from "../../../src/document/transcript/mod.ts";
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
import { VAPI_VARIABLES } from "../traits/mod.ts";
import { assistantNames, readVapiTurns, type VapiReply } from "./turns.ts";

const LAST_EVENT = "end-of-call-report";
/** Statuses of unfinished calls, which have no transcript yet. */
export const VAPI_OPEN_STATUSES: readonly string[] = ["scheduled", "queued", "ringing", "in-progress", "forwarding"];
/** Fields of which a finished call has at least one; the reply to a request that creates a call has none. */
const MARKS_OF_END = ["endedAt", "endedReason", "messages", "transcript"];
/** Fields of a call that are kept besides its messages. Definitions of agents, and addresses that give access, are not. */
const FACTS = [
  ...["type", "name", "squadId", "workflowId", "assistantVersion", "customer", "cost", "costs", "costBreakdown"],
  ...["analysis", "summary", "destination", "phoneNumberId", "endedMessage", "campaignId", "phoneCallProvider"],
  ...["phoneCallProviderId", "transport", "compliance", "recordingUrl", "stereoRecordingUrl"],
];
/** Fields of its artifact that are kept. */
const ARTIFACT_FACTS = [
  ...["transfers", "recordingUrl", "stereoRecordingUrl", "videoRecordingUrl", "videoRecordingStartDelaySeconds"],
  ...["recording", "logUrl", "pcapUrl", "scorecards"],
];

/** @see https://docs.vapi.ai/api-reference/calls/get (field `type`) */
const CALL_TYPES: readonly string[] = ["inboundPhoneCall", "outboundPhoneCall", "webCall", "vapi.websocketCall"];
/** Keys of every kind of record of Vapi: calls, assistants, phone numbers, campaigns, … */
const MARKS_OF_VAPI = ["endedReason", "assistantId", "squadId", "workflowId", "orgId", "assistant", "squad"];
/** Keys that only calls have, of the records without a `type`. */
const MARKS_OF_CALL = ["startedAt", "endedAt", "transcript", "monitor", "phoneCallProvider", "costBreakdown"];

/**
 * Whether a record is a call of Vapi. It needs evidence of a call: assistants, phone numbers and campaigns have an id, an
 * organization and the id of an assistant too.
 */
export function isVapiCall(record: JsonObject): boolean {
  if (textAt(record, "id") === undefined) return false;
  const type = textAt(record, "type");
  if (type !== undefined) return CALL_TYPES.includes(type);
  if (isRecord(own(record, "artifact"))) return true;
  const has = (key: string) => Object.hasOwn(record, key);
  const isSpoken = recordsAt(record, ["messages"]).some((message) => Object.hasOwn(message, "secondsFromStart"));
  return MARKS_OF_VAPI.some(has) && (MARKS_OF_CALL.some(has) || isSpoken);
}

/** Whether a record is a message that Vapi sends to a server. */
export function isVapiEvent(record: JsonObject): boolean {
  const message = recordAt(record, "message");
  return textAt(message, "type") !== undefined && (isRecord(message.call) || isRecord(message.artifact));
}

/**
 * Returns the call of a server message. Older messages have the artifact's fields beside the call.
 *
 * @throws {NotACallError} `skipped` for messages during a call.
 */
export function vapiEventCall(record: JsonObject): JsonObject {
  const message = recordAt(record, "message");
  const type = textAt(message, "type") ?? "";
  if (type !== LAST_EVENT) throw new NotACallError(`message "${type}" does not end a call`, "skipped");
  const call = recordAt(message, "call");
  const own = omit(message, ["type", "call", "timestamp", "phoneNumber"]);
  const artifact = { ...recordAt(call, "artifact"), ...recordAt(message, "artifact") };
  return { ...call, ...own, artifact, status: "ended" };
}

/**
 * Reads a call of Vapi's API.
 *
 * @throws {NotACallError} `skipped` for a call that is not over.
 * @see https://docs.vapi.ai/api-reference/calls/get
 */
export function readVapiCall(record: JsonObject, place: RecordPlace): RecordedCall {
  const status = textAt(record, "status") ?? "";
  if (VAPI_OPEN_STATUSES.includes(status))
    throw new NotACallError(`the call is not over: its status is "${status}"`, "skipped");
  if (status === "not-found") throw new NotACallError("Vapi did not find the call", "skipped");
  if (status === "" && !isOver(record))
    throw new NotACallError("the call is not over: it has no status, end or messages", "skipped");
  const startMs = timeFrom(own(record, "startedAt"));
  const endMs = timeFrom(own(record, "endedAt"));
  const artifact = recordAt(record, "artifact");
  const draft = new CallDraft(startMs ?? firstTime(record) ?? 0);
  const replies = readVapiTurns(record, draft, startMs ?? firstTime(record));
  const metrics = recordAt(artifact, "performanceMetrics");
  const reason = textAt(record, "endedReason");
  return callFrom(draft, {
    format: "vapi",
    place,
    callId: textAt(record, "id"),
    agentId: ["squadId", "assistantId", "workflowId"].map((key) => textAt(record, key)).find(Boolean),
    startMs,
    durationMs: startMs !== undefined && endMs !== undefined ? Math.max(0, endMs - startMs) : undefined,
    reason,
    endReason: reason === undefined ? undefined : vapiEndReason(reason),
    startVariables: recordAt(recordAt(record, "assistantOverrides"), "variableValues"),
    variables: ownVariables(artifact),
    latency: vapiLatency(replies, metrics),
    kept: {
      ...valuesAt(record, FACTS),
      ...valuesAt(artifact, ARTIFACT_FACTS),
      assistants: assistantNames(record),
      agent_name: textAt(recordAt(record, "squad"), "name") ?? textAt(recordAt(record, "assistant"), "name"),
      performance: metrics,
      structured_outputs: own(artifact, "structuredOutputs"),
    },
  });
}

function isOver(record: JsonObject): boolean {
  const artifact = recordAt(record, "artifact");
  return MARKS_OF_END.some((key) => own(record, key) !== undefined) || Object.keys(artifact).length > 0;
}

/** The values that a record has at some keys. */
function valuesAt(record: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(record, key) ? [[key, record[key]]] : [])));
}

/** The variables at the end, those of workflow nodes included, without Vapi's own. */
function ownVariables(artifact: JsonObject): JsonObject {
  const ofNodes = recordsAt(artifact, ["nodes"]).map((node) => recordAt(node, "variableValues"));
  return omit(Object.assign({}, ...ofNodes, recordAt(artifact, "variableValues")), VAPI_VARIABLES.names);
}

function firstTime(record: JsonObject): number | undefined {
  const messages = [...recordsAt(recordAt(record, "artifact"), ["messages"]), ...recordsAt(record, ["messages"])];
  return timeFrom(messages[0]?.time);
}

/** Returns how long the caller waited in each turn. Vapi measures replies to the caller, in their order. */
function vapiLatency(replies: readonly VapiReply[], metrics: JsonObject): readonly TurnLatency[] {
  return recordsAt(metrics, ["turnLatencies"]).flatMap((measured, index) => {
    const firstWordMs = numberAt(measured, "turnLatency");
    const { turn = index + 1, nodeId = "" } = replies[index] ?? {};
    return firstWordMs === undefined ? [] : [{ turn, nodeId, firstWordMs }];
  });
}

/**
 * Maps Vapi's reasons without "error", "fault" or "failed" in their name to how a call ended. `null`: nobody ended the conversation, or there was none.
 *
 * @see https://docs.vapi.ai/calls/call-ended-reason
 */
const REASONS = {
  "assistant-request-returned-invalid-assistant": "failed",
  "assistant-request-returned-no-assistant": "failed",
  "assistant-request-returned-forwarding-phone-number": null,
  "scheduled-call-deleted": null,
  "assistant-not-valid": "failed",
  "assistant-not-found": "failed",
  "worker-shutdown": "failed",
  "vonage-disconnected": "failed",
  "vonage-completed": null,
  "phone-call-provider-bypass-enabled-but-no-call-received": null,
  "call.in-progress.twilio-completed-call": null,
  "call.in-progress.sip-completed-call": null,
  "assistant-ended-call": "agent_ended",
  "assistant-said-end-call-phrase": "agent_ended",
  "assistant-ended-call-with-hangup-task": "agent_ended",
  "assistant-ended-call-after-message-spoken": "agent_ended",
  "assistant-forwarded-call": "agent_transferred",
  "assistant-join-timed-out": "failed",
  "customer-busy": null,
  "customer-ended-call": "caller_ended",
  "customer-ended-call-before-warm-transfer": "caller_ended",
  "customer-ended-call-after-warm-transfer-attempt": "caller_ended",
  "customer-ended-call-during-transfer": "caller_ended",
  "customer-did-not-answer": null,
  "customer-did-not-give-microphone-permission": null,
  "exceeded-max-duration": "budget_exceeded",
  "manually-canceled": "aborted",
  "phone-call-provider-closed-websocket": "failed",
  "call.forwarding.operator-busy": null,
  "call.forwarding.no-answer": null,
  "silence-timed-out": null,
  "call.ringing.hook-executed-say": null,
  "call.ringing.hook-executed-transfer": "agent_transferred",
  "call.ending.hook-executed-say": null,
  "call.ending.hook-executed-transfer": "agent_transferred",
  "call.ringing.sip-inbound-caller-hungup-before-call-connect": null,
  "twilio-reported-customer-misdialed": null,
  "vonage-rejected": null,
  voicemail: null,
  "call-deleted": null,
} as const satisfies { readonly [reason: string]: EndReason | null };

/** Every reason without these words that Vapi documents. */
export type VapiReason = keyof typeof REASONS;

/**
 * Returns how a call ended. Hundreds of reasons name a provider that failed; all of them have "error", "fault" or
 * "failed" in their name.
 */
export function vapiEndReason(reason: string): EndReason | undefined {
  const named = own<EndReason | null>(REASONS, reason);
  if (named !== undefined) return named ?? undefined;
  return /error|fault|failed/.test(reason) ? "failed" : undefined;
}
