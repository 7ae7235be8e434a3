import { isRecord, type JsonObject, jsonOrText, records } from "../../../src/base/values/mod.ts";
import { argumentsFrom, CallDraft, type CallReader, callFrom, textAt, timeFrom } from "../../reading/mod.ts";

const ROLES: readonly unknown[] = ["user", "assistant", "system", "developer", "tool"];

/**
 * Reads transcripts of Pipecat: `{ transcript: [{ role, content, timestamp, user_id? }] }`, with the messages that its
 * turn events and its transcript processor have. Tool calls of the context may stand between them.
 */
export const pipecatCallReader: CallReader = {
  isCall: ({ transcript }) =>
    Array.isArray(transcript) &&
    transcript.length > 0 &&
    transcript.every((item) => isRecord(item) && ROLES.includes(item.role)) &&
    transcript.some((item) => isRecord(item) && isTimed(item)),
  isEvent: () => false,
  callOf: (event) => event,
  read: (record, place) => {
    const items = records(record.transcript);
    const times = items.map(({ timestamp }) => timeFrom(timestamp)).filter((time) => time !== undefined);
    const startMs = timeFrom(record.started_at) ?? times[0];
    const draft = new CallDraft(startMs ?? 0);
    const results = new Map(items.map((item) => [item.tool_call_id, item.content]));
    for (const item of items) addItem(item, { draft, results, startMs });
    const lastMs = times.at(-1);
    return callFrom(draft, {
      format: "pipecat",
      place,
      callId: ["call_id", "session_id", "id"].map((key) => textAt(record, key)).find(Boolean),
      agentId: textAt(record, "agent_id"),
      startMs,
      durationMs: startMs === undefined || lastMs === undefined ? undefined : Math.max(0, lastMs - startMs),
      reason: textAt(record, "end_reason"),
      endReason: undefined,
      startVariables: {},
      variables: isRecord(record.state) ? record.state : {},
      latency: [],
      kept: {},
    });
  },
  list: null,
};

/** Messages of Pipecat have a time as a text, and a content; those of other platforms have numbers or other keys. */
const isTimed = ({ timestamp, content }: JsonObject) =>
  typeof timestamp === "string" && timeFrom(timestamp) !== undefined && typeof content === "string";

interface Reading {
  readonly draft: CallDraft;
  /** Results of tools, by the id of their call. */
  readonly results: ReadonlyMap<unknown, unknown>;
  readonly startMs: number | undefined;
}

function addItem(item: JsonObject, { draft, results, startMs }: Reading): void {
  const time = timeFrom(item.timestamp);
  const atMs = time === undefined || startMs === undefined ? undefined : Math.max(0, time - startMs);
  const { role, content } = item;
  if (typeof item.node === "string" && item.node !== draft.at) draft.arrive(item.node, "the flow moved", atMs);
  if ((role === "user" || role === "assistant") && typeof content === "string") draft.say(role, content, atMs);
  for (const { id, function: called } of records(item.tool_calls)) {
    if (!isRecord(called) || typeof called.name !== "string") continue;
    const written = results.get(id);
    const result = typeof written === "string" ? jsonOrText(written) : (written ?? null);
    const outcome = isRecord(result) && result.error !== undefined ? "failed" : "succeeded";
    draft.call({ name: called.name, arguments: argumentsFrom(called.arguments), result, outcome }, atMs);
  }
}
