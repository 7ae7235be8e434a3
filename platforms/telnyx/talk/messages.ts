import {
  backoffMs,
  isListOf,
  isRecord,
  type JsonObject,
  jsonOrText,
  parsedJson,
  SYSTEM_CLOCK,
  shown,
} from "../../../src/base/values/mod.ts";
import {
  type AgentClient,
  type CallRequest,
  connectionFailure,
  type ReportedToolCall,
} from "../../../src/call/connection/mod.ts";
import { inOrder, wordsOf } from "../traits/mod.ts";

/** A tool call of a conversation. */
export interface ListedToolCall {
  readonly id: string;
  readonly call: ReportedToolCall;
}

const PAGE_SIZE = 100;
const MOST_PAGES = 50;
/** How often a list is read until it has the last reply. */
const MOST_READS = 6;
const PAUSES = { firstMs: 100, longestMs: 2_000 };

/** What the list has at least. */
export interface SaidSoFar {
  /** Messages of the caller. */
  readonly callers: number;
  /** Whether the assistant replied with words to the last one. */
  readonly isAnswered: boolean;
}

/**
 * Reads the tool calls of a conversation. Whether its messages are listed at once is not documented: the list is read
 * again until it has the last reply, because a tool call that is listed later would look as if there had been none.
 *
 * @throws {ConnectionError} `vendor` if the list does not become complete, or cannot be read.
 */
export async function readToolCalls(
  {
    name,
    client,
    conversationId,
  }: { readonly name: string; readonly client: AgentClient; readonly conversationId: string },
  said: SaidSoFar,
  request: CallRequest,
): Promise<readonly ListedToolCall[]> {
  for (let read = 1; ; read++) {
    const messages = inOrder(await readMessages(name, client, conversationId, request));
    if (hasAll(messages, said)) return toolCalls(name, messages);
    if (read >= MOST_READS)
      throw connectionFailure(
        name,
        "vendor",
        `the messages of its conversation do not have its last reply, so its tool calls are not known`,
      );
    await SYSTEM_CLOCK.pause(backoffMs(PAUSES, read), request.signal);
  }
}

function hasAll(messages: readonly JsonObject[], { callers, isAnswered }: SaidSoFar): boolean {
  const spoken = messages.filter((message) => wordsOf(message) !== "");
  if (spoken.filter(({ role }) => role === "user").length < callers) return false;
  return (
    !isAnswered ||
    spoken.slice(spoken.findLastIndex(({ role }) => role === "user")).some(({ role }) => role === "assistant")
  );
}

async function readMessages(
  name: string,
  client: AgentClient,
  conversationId: string,
  request: CallRequest,
): Promise<readonly JsonObject[]> {
  const path = `/ai/conversations/${encodeURIComponent(conversationId)}/messages`;
  const all: JsonObject[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const query = { "page[number]": String(page), "page[size]": String(PAGE_SIZE) };
    const answer = await client.send({ path, query }, request);
    const { data, meta } = isRecord(answer) ? answer : {};
    if (!isListOf(data, isRecord)) throw connectionFailure(name, "vendor", "its answer has no list of messages");
    all.push(...data);
    const last = isRecord(meta) && typeof meta.total_pages === "number" ? meta.total_pages : 1;
    if (page >= last) return all;
  }
  throw connectionFailure(name, "vendor", `its conversation has more than ${MOST_PAGES} pages of messages`);
}

/** The tool calls of messages. Results belong to calls by their id, or else by their order. */
function toolCalls(name: string, messages: readonly JsonObject[]): readonly ListedToolCall[] {
  const calls = new Map<string, ReportedToolCall>();
  const open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      const given = [message.tool_call_id, isRecord(message.metadata) ? message.metadata.tool_call_id : undefined];
      const id = given.find((each) => typeof each === "string" && calls.has(each)) ?? open[0];
      const call = typeof id === "string" ? calls.get(id) : undefined;
      if (typeof id !== "string" || !call) continue;
      calls.set(id, { ...call, result: jsonOrText(wordsOf(message)) });
      open.splice(open.indexOf(id), open.includes(id) ? 1 : 0);
      continue;
    }
    const listed = message.tool_calls ?? [];
    if (!isListOf(listed, isRecord)) throw unreadable(name, message);
    for (const each of listed) {
      const { id, function: called } = each;
      const { name: tool, arguments: text } = isRecord(called) ? called : {};
      const args = typeof text === "string" ? parsedJson(text === "" ? "{}" : text) : (text ?? {});
      if (typeof id !== "string" || typeof tool !== "string" || tool === "" || !isRecord(args))
        throw unreadable(name, each);
      if (!calls.has(id)) open.push(id);
      calls.set(id, { name: tool, arguments: args });
    }
  }
  return [...calls].map(([id, call]) => ({ id, call: withOutcome(call) }));
}

/** A result that is only an error, or begins with the word, is a failure. */
function withOutcome(call: ReportedToolCall): ReportedToolCall {
  const { result } = call;
  const failed =
    typeof result === "string"
      ? /^\W*error\b/i.test(result)
      : isRecord(result) && Boolean(result.error) && Object.keys(result).length === 1;
  return failed ? { ...call, outcome: "failed" } : call;
}

function unreadable(name: string, part: JsonObject) {
  return connectionFailure(name, "vendor", `its conversation has a tool call that cannot be read: ${shown(part)}`);
}
