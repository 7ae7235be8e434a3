import { type JsonObject, own, recordAt, recordsAt } from "../../../src/base/values/mod.ts";
import type { EndReason } from "../../../src/document/transcript/mod.ts";
import {
  CallDraft,
  callFrom,
  NotACallError,
  type RecordedCall,
  type RecordPlace,
  sayLabelledText,
  textAt,
  timeFrom,
} from "../../reading/mod.ts";

/** Keys that only calls of Bland have together with an id. */
const MARKS = ["queue_status", "concatenated_transcript", "transcripts", "corrected_duration", "pathway_logs"];
/** Stages of a call that is not over. */
const OPEN = ["new", "queued", "allocated", "started"];
/** Fields of a call that are kept besides its messages. */
const FACTS = [
  ...["to", "from", "inbound", "batch_id", "queue_status", "answered_by", "error_message", "recording_url", "summary"],
  ...["price", "transferred_to", "transferred_at", "pathway_version", "pathway_tags", "analysis", "metadata"],
  ...["disposition_tag", "call_ended_by"],
];

/** Whether a record is a call of Bland. */
export function isBlandCall(record: JsonObject): boolean {
  return idOf(record) !== undefined && MARKS.some((key) => Object.hasOwn(record, key));
}

const idOf = (record: JsonObject) => textAt(record, "call_id") ?? textAt(record, "c_id");

/** Whether a call still runs or waits. */
export function isOpenCall(record: JsonObject): boolean {
  return own(record, "completed") !== true && OPEN.includes(textAt(record, "queue_status") ?? "");
}

/**
 * Reads a call of Bland's API or webhook. The logs of the pathway say which nodes it visited.
 *
 * @throws {NotACallError} `skipped` for a call that is not over.
 * @see https://docs.bland.ai/api-v1/get/calls-id
 */
export function readBlandCall(record: JsonObject, place: RecordPlace): RecordedCall {
  if (isOpenCall(record))
    throw new NotACallError(`the call is not over: its stage is "${textAt(record, "queue_status")}"`, "skipped");
  const startMs = timeFrom(own(record, "started_at")) ?? timeFrom(own(record, "created_at"));
  const draft = new CallDraft(startMs ?? 0);
  const spoken = recordsAt(record, ["transcripts"]).length > 0;
  for (const moment of momentsOf(record, startMs)) moment.add(draft);
  const { concatenated_transcript: text } = record;
  if (!spoken && typeof text === "string") sayLabelledText(text, draft);
  const { request_data: asked } = record;
  const startVariables = recordAt(recordAt({ asked }, "asked"), "request_data");
  const reason = textAt(record, "call_ended_by") ?? textAt(record, "error_message") ?? textAt(record, "status");
  return callFrom(draft, {
    format: "bland",
    place,
    callId: idOf(record),
    agentId: textAt(record, "pathway_id"),
    startMs,
    durationMs: durationOf(record),
    reason,
    endReason: endOf(record),
    startVariables,
    variables: recordAt(record, "variables"),
    latency: [],
    kept: Object.fromEntries(FACTS.map((key) => [key, own(record, key)])),
  });
}

/** Something that happened in a call, when it is known. */
interface Moment {
  readonly atMs: number | undefined;
  readonly add: (draft: CallDraft) => void;
}

const ROLES: { readonly [user: string]: "user" | "assistant" | "system" } = {
  user: "user",
  assistant: "assistant",
  robot: "assistant",
  "agent-action": "system",
};

/** Phrases and nodes in the order of their times. Those without a time follow what was before them in their list. */
function momentsOf(record: JsonObject, startMs: number | undefined): readonly Moment[] {
  const atOf = (entry: JsonObject) => {
    const at = timeFrom(own(entry, "created_at"));
    return at === undefined || startMs === undefined ? undefined : Math.max(0, at - startMs);
  };
  const nodes = recordsAt(record, ["pathway_logs"]).flatMap((entry): readonly Moment[] => {
    const id = nodeIn(entry);
    const atMs = atOf(entry);
    const because = textAt(entry, "decision") ?? textAt(entry, "reason") ?? "the pathway moved on";
    return id === undefined ? [] : [{ atMs, add: (draft) => draft.at !== id && draft.arrive(id, because, atMs) }];
  });
  const phrases = recordsAt(record, ["transcripts"]).map((entry): Moment => {
    const atMs = atOf(entry);
    const role = own(ROLES, textAt(entry, "user") ?? "") ?? "system";
    return { atMs, add: (draft) => draft.say(role, textAt(entry, "text") ?? "", atMs) };
  });
  const timed = [...inTime(nodes), ...inTime(phrases)];
  return timed.sort((one, other) => one.at - other.at).map(({ moment }) => moment);
}

function inTime(moments: readonly Moment[]): readonly { readonly at: number; readonly moment: Moment }[] {
  let last = 0;
  return moments.map((moment) => {
    last = Math.max(last, moment.atMs ?? last);
    return { at: last, moment };
  });
}

/** Names of the node in an entry of the logs. */
const NODE_KEYS = ["chosen_node_id", "node_id", "current_node_id", "nodeId"];

function nodeIn(entry: JsonObject): string | undefined {
  const places = [entry, recordAt(entry, "data"), recordAt(entry, "pathway_info")];
  return places.flatMap((place) => NODE_KEYS.map((key) => textAt(place, key))).find((id) => id !== undefined);
}

/** The seconds that the call was connected, else its length, which is in minutes. */
function durationOf(record: JsonObject): number | undefined {
  const [seconds, minutes] = ["corrected_duration", "call_length"].map((key) => {
    const value = own(record, key);
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    return typeof number === "number" && Number.isFinite(number) ? number : undefined;
  });
  return seconds === undefined ? minutes && Math.round(minutes * 60_000) : Math.round(seconds * 1_000);
}

/** How a call ended; `undefined` if Bland says nothing of it, or an error ended it. */
function endOf(record: JsonObject): EndReason | undefined {
  if (textAt(record, "transferred_to") !== undefined) return "agent_transferred";
  const by = textAt(record, "call_ended_by")?.toUpperCase();
  return by === "USER" ? "caller_ended" : by === "ASSISTANT" ? "agent_ended" : undefined;
}
