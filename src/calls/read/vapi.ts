import { PLATFORM_VARIABLES } from "../../expressions/mod.ts";
import { isRecord, type JsonObject, omit, own, recordAt, recordsAt } from "../../values/mod.ts";
import type { RecordedCall } from "../recorded_call.ts";
import { CallDraft } from "./call_draft.ts";
import { callFrom } from "./call_from.ts";
import { textAt, timeFrom } from "./fields.ts";
import { NotACallError, type RecordPlace } from "./read_context.ts";
import { vapiLatency } from "./vapi_latency.ts";
import { vapiEndReason } from "./vapi_reasons.ts";
import { readVapiTurns } from "./vapi_turns.ts";

const LAST_EVENT = "end-of-call-report";
/** Statuses of unfinished calls, which have no transcript yet. */
export const VAPI_OPEN_STATUSES: readonly string[] = ["scheduled", "queued", "ringing", "in-progress", "forwarding"];
/** Fields of a call that are kept besides its messages. */
const FACTS = ["type", "name", "squadId", "workflowId", "assistantVersion", "customer", "cost", "costs", "analysis"];
const MORE_FACTS = ["destination", "phoneNumberId", "endedMessage"];

/** Whether a record is a call of Vapi. */
export function isVapiCall(record: JsonObject): boolean {
  const marks = ["artifact", "endedReason", "assistantId", "squadId", "workflowId", "orgId", "assistant", "squad"];
  return textAt(record, "id") !== undefined && marks.some((key) => Object.hasOwn(record, key));
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
    endReason: reason === undefined ? null : vapiEndReason(reason),
    startVariables: recordAt(recordAt(record, "assistantOverrides"), "variableValues"),
    variables: ownVariables(artifact),
    latency: vapiLatency(replies, metrics),
    kept: {
      ...Object.fromEntries([...FACTS, ...MORE_FACTS].map((key) => [key, own(record, key)])),
      agent_name: textAt(recordAt(record, "squad"), "name") ?? textAt(recordAt(record, "assistant"), "name"),
      performance: metrics,
      structured_outputs: own(artifact, "structuredOutputs"),
    },
  });
}

/** The variables at the end, those of workflow nodes included, without Vapi's own. */
function ownVariables(artifact: JsonObject): JsonObject {
  const ofNodes = recordsAt(artifact, ["nodes"]).map((node) => recordAt(node, "variableValues"));
  return omit(Object.assign({}, ...ofNodes, recordAt(artifact, "variableValues")), PLATFORM_VARIABLES.vapi);
}

function firstTime(record: JsonObject): number | undefined {
  const messages = [...recordsAt(recordAt(record, "artifact"), ["messages"]), ...recordsAt(record, ["messages"])];
  return timeFrom(messages[0]?.time);
}
