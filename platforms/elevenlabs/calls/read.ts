import { type JsonObject, jsonOrText, own, pick, recordAt, records } from "../../../src/base/values/mod.ts";
import type { EndReason } from "../../../src/document/transcript/mod.ts";
import {
  argumentsFrom,
  CallDraft,
  callFrom,
  NotACallError,
  numberAt,
  type RecordedCall,
  type RecordPlace,
  textAt,
} from "../../reading/mod.ts";

/** Statuses of conversations that are not over, or not written down yet. */
export const OPEN: readonly string[] = ["initiated", "in-progress", "processing"];

/** Facts that are kept besides the messages. */
const FACTS = ["status", "analysis", "branch_id", "version_id", "environment", "has_audio", "user_id"];
const METADATA_FACTS = [
  "cost",
  "charging",
  "phone_call",
  "feedback",
  "error",
  "main_language",
  "text_only",
  "timezone",
];

/** Whether a record is a conversation of ElevenLabs. */
export function isElevenLabsCall(record: JsonObject): boolean {
  return textAt(record, "conversation_id") !== undefined && Array.isArray(record.transcript);
}

/** Whether a record is an event of ElevenLabs' webhook. */
export function isElevenLabsEvent(record: JsonObject): boolean {
  return textAt(record, "type") !== undefined && textAt(recordAt(record, "data"), "conversation_id") !== undefined;
}

/**
 * Returns the conversation of a webhook's event.
 *
 * @throws {NotACallError} `skipped` for events without a transcript, such as the one with the sound.
 */
export function elevenLabsEventCall(event: JsonObject): JsonObject {
  const type = textAt(event, "type") ?? "";
  const data = recordAt(event, "data");
  if (isElevenLabsCall(data)) return data;
  throw new NotACallError(`event "${type}" has no transcript`, "skipped");
}

/**
 * Reads a conversation of ElevenLabs' API, with the workflow's nodes and the results of tools.
 *
 * @throws {NotACallError} `skipped` for a conversation that is not over.
 * @see https://elevenlabs.io/docs/api-reference/conversations/get
 */
export function readElevenLabsCall(record: JsonObject, place: RecordPlace): RecordedCall {
  const status = textAt(record, "status") ?? "";
  if (OPEN.includes(status)) throw new NotACallError(`the call is not over: its status is "${status}"`, "skipped");
  const metadata = recordAt(record, "metadata");
  const seconds = numberAt(metadata, "start_time_unix_secs");
  const duration = numberAt(metadata, "call_duration_secs");
  const startMs = seconds === undefined ? undefined : seconds * 1_000;
  const draft = new CallDraft(startMs ?? 0);
  const turns = records(record.transcript);
  const { variables, ended } = readTurns(turns, draft);
  const reason = textAt(metadata, "termination_reason");
  return callFrom(draft, {
    format: "elevenlabs",
    place,
    callId: textAt(record, "conversation_id"),
    agentId: textAt(record, "agent_id"),
    startMs,
    durationMs: duration === undefined ? undefined : duration * 1_000,
    reason,
    endReason: ended ?? endOf(reason ?? ""),
    startVariables: recordAt(recordAt(record, "conversation_initiation_client_data"), "dynamic_variables"),
    variables,
    latency: [], // its figures are of its services, not of what the caller waits for
    kept: { ...pick(record, FACTS), ...pick(metadata, METADATA_FACTS) },
  });
}

interface ReadTurns {
  readonly variables: JsonObject;
  readonly ended: EndReason | undefined;
}

/** Tools of the platform that end a call. */
const ENDS = {
  end_call: "agent_ended",
  transfer_to_number: "agent_transferred",
  transfer_to_agent: "agent_transferred",
} as const;

function readTurns(turns: readonly JsonObject[], draft: CallDraft): ReadTurns {
  const variables: { [name: string]: unknown } = {};
  let ended: EndReason | undefined;
  for (const turn of turns) {
    const at = (numberAt(turn, "time_in_call_secs") ?? 0) * 1_000;
    const node = textAt(recordAt(turn, "agent_metadata"), "workflow_node_id");
    if (node !== undefined && node !== draft.at) draft.arrive(node, "the workflow went on", at);
    const isCaller = turn.role === "user";
    draft.say(isCaller ? "user" : "assistant", textAt(turn, "message") ?? "", at);
    const results = records(turn.tool_results);
    readCalls(records(turn.tool_calls), results, draft, at);
    for (const result of results) {
      // a tool node's calls, and the nodes that a workflow passes without a turn, are steps of a result
      for (const step of records(recordAt(result, "result").steps)) {
        const target = textAt(step, "target_node_id") ?? textAt(step, "node_id");
        if (target !== undefined && target !== draft.at) draft.arrive(target, "the workflow went on", at);
        readCalls(records(step.requests), records(step.results), draft, at);
        for (const each of records(step.results)) Object.assign(variables, updatesOf(each));
      }
      Object.assign(variables, updatesOf(result));
      if (result.is_error !== true) ended = own<EndReason>(ENDS, textAt(result, "tool_name") ?? "") ?? ended;
    }
  }
  return { variables, ended };
}

/** Adds the tool calls of a turn, without those by which the platform itself moves. */
function readCalls(calls: readonly JsonObject[], results: readonly JsonObject[], draft: CallDraft, at: number): void {
  for (const call of calls) {
    const name = textAt(call, "tool_name");
    if (name === undefined || call.type === "workflow" || /^notify_condition_\d+_met$/.test(name)) continue;
    const result = results.find(({ request_id: id }) => id !== undefined && id === call.request_id);
    const seconds = numberAt(result ?? {}, "tool_latency_secs");
    const told = {
      name,
      arguments: argumentsFrom(call.params_as_json),
      result: jsonOrText(own(result ?? {}, "result_value")) ?? null,
      outcome: result?.is_error === true ? ("failed" as const) : ("succeeded" as const),
    };
    draft.call({ ...told, ...(seconds === undefined ? {} : { durationMs: seconds * 1_000 }) }, at);
  }
}

function updatesOf(result: JsonObject): JsonObject {
  const updates = records(result.dynamic_variable_updates).map((each) => [String(each.variable_name), each.new_value]);
  return Object.fromEntries(updates);
}

/** How a call ended, by the platform's words. */
const WORDS: readonly (readonly [pattern: RegExp, reason: EndReason])[] = [
  [/end_call|ended by (?:the )?agent/i, "agent_ended"],
  [/transfer/i, "agent_transferred"],
  [/max(?:imum)?[ _-]?(?:call |conversation )?duration/i, "budget_exceeded"],
  [/client disconnected|remote party|ended by (?:the )?(?:user|client|caller)|hung? up/i, "caller_ended"],
];

function endOf(reason: string): EndReason | undefined {
  return WORDS.find(([pattern]) => pattern.test(reason))?.[1];
}
