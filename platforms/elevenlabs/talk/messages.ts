import { isRecord, type JsonObject, jsonOrText, recordAt, shorten } from "../../../src/base/values/mod.ts";
import {
  type AgentClient,
  type AgentEvent,
  type AgentSocket,
  type ConnectionError,
  type ConnectionFailure,
  connectionFailure,
} from "../../../src/call/connection/mod.ts";
import { Mocks, resultText } from "../../../src/call/turn/mod.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";
import { mockText } from "../../talking/mod.ts";

/** What the messages of a conversation are read with. */
export interface MessagesOptions {
  readonly name: string;
  readonly mocks: readonly ToolMock[];
  /** Names of tools that the agent calls without waiting for an answer. */
  readonly unanswered: ReadonlySet<string>;
  readonly client: Pick<AgentClient, "withoutSecrets">;
}

/** Answers the platform's pings, also between turns: it closes a conversation without answers. */
export function answerPing({ type, ping_event: ping }: JsonObject): JsonObject | undefined {
  return type === "ping" && isRecord(ping) ? { type: "pong", event_id: ping.event_id } : undefined;
}

/** What the messages of a conversation have said so far. */
export interface Conversation extends MessagesOptions {
  readonly socket: AgentSocket;
  readonly used: Mocks;
  readonly answered: Set<string>;
  readonly fail: (kind: ConnectionFailure, words: string) => ConnectionError;
  conversationId: string | undefined;
  events: AgentEvent[];
  /** Words in parts, by the id of their event; those that also come as a whole are taken out. */
  readonly parts: Map<unknown, string>;
  /** Ids of events whose words came as a whole. */
  readonly whole: Set<unknown>;
  /** Whether a reply has begun and not ended. */
  isSpeaking: boolean;
  hasSpoken: boolean;
  /** Whether words must follow, because a tool has been called. */
  needsWords: boolean;
  /** Calls that were not answered yet, by id. */
  readonly open: Map<string, string>;
  /** Ids of the calls of the client's tools. */
  readonly called: Set<string>;
  isTransferred: boolean;
}

/** A conversation without a message. */
export function startConversation(socket: AgentSocket, options: MessagesOptions): Conversation {
  const { name, mocks, client } = options;
  return {
    ...options,
    socket,
    used: new Mocks(mocks),
    answered: new Set(),
    fail: (kind, words) => connectionFailure(name, kind, shorten(client.withoutSecrets(words), 300)),
    conversationId: undefined,
    events: [],
    parts: new Map(),
    whole: new Set(),
    isSpeaking: false,
    hasSpoken: false,
    needsWords: false,
    open: new Map(),
    called: new Set(),
    isTransferred: false,
  };
}

/**
 * Reads a message, and answers the tools of the client.
 *
 * @throws {ConnectionError} For a message that cannot be read, and an error of the platform.
 */
export function readMessage(state: Conversation, message: JsonObject): void {
  const { type } = message;
  if (type === "conversation_initiation_metadata") begin(state, recordAt(message, `${type}_event`));
  else if (type === "agent_chat_response_part") addPart(state, recordAt(message, "text_response_part"));
  else if (type === "agent_response") addWhole(state, recordAt(message, `${type}_event`));
  else if (type === "client_tool_call") answerTool(state, recordAt(message, type));
  else if (type === "agent_tool_request") startTool(state, recordAt(message, type));
  else if (type === "agent_tool_response" || type === "agent_tool_response_full_payload")
    endTool(state, recordAt(message, type));
  else if (type === "error") throw faultOf(state, recordAt(message, "error_event"));
}

function begin(state: Conversation, { conversation_id: id }: JsonObject): void {
  if (typeof id !== "string" || id === "") throw state.fail("vendor", "its conversation has no id");
  state.conversationId = id;
}

function addPart(state: Conversation, { type, text, event_id: id }: JsonObject): void {
  if (typeof text !== "string") throw state.fail("vendor", "it sent a part of a reply without a text");
  state.isSpeaking = type !== "stop";
  if (state.whole.has(id)) return;
  state.parts.set(id, (state.parts.get(id) ?? "") + text);
  if (type === "stop" && state.parts.get(id) !== "") spoken(state);
}

function addWhole(state: Conversation, { agent_response: text, event_id: id }: JsonObject): void {
  if (typeof text !== "string") throw state.fail("vendor", "it sent a reply without a text");
  state.parts.delete(id);
  state.whole.add(id);
  say(state, text);
  spoken(state);
}

function spoken(state: Conversation): void {
  state.hasSpoken = true;
  state.needsWords = false;
}

export function say(state: Conversation, text: string): void {
  if (text.trim() !== "") state.events.push({ kind: "says", text });
}

/** Answers a tool of the client. Without a mock it fails, as in a call with a graph. */
function answerTool(state: Conversation, { tool_name: name, tool_call_id: id, parameters = {} }: JsonObject): void {
  if (typeof name !== "string" || typeof id !== "string" || !isRecord(parameters))
    throw state.fail("vendor", "it called a tool without a name, an id or parameters");
  const mock = state.used.take(name, parameters);
  const text = mock ? mockText(mock) : noMock(name);
  const isError = mock?.result !== true;
  if (mock) state.answered.add(name);
  state.called.add(id);
  state.socket.send({ type: "client_tool_result", tool_call_id: id, result: text, is_error: isError });
  const outcome = isError ? "failed" : "succeeded";
  const result = jsonOrText(text);
  state.events.push({
    kind: "tool",
    call: { name, arguments: parameters, outcome, result, mocked: mock !== undefined },
  });
  if (!state.unanswered.has(name)) state.needsWords = true;
}

/** What a tool of the client without a mock answers with. */
export function noMock(name: string): string {
  return `tool "${name}" has no mock`;
}

function startTool(state: Conversation, { tool_name: name, tool_call_id: id, tool_type: kind }: JsonObject): void {
  if (name === "transfer_to_number") state.isTransferred = true;
  // the agent chooses to say nothing
  if (name === "skip_turn") spoken(state);
  if (kind === "system" || typeof name !== "string" || typeof id !== "string") return;
  if (kind !== "client") state.open.set(id, name);
  // the call itself of a tool of the client comes in a message of its own, maybe later, maybe before
  if (!state.called.has(id) && !state.unanswered.has(name)) state.needsWords = true;
}

/** A tool has answered. Its arguments are in the record of the call. */
function endTool(
  state: Conversation,
  { tool_call_id: id, is_error: isError, full_tool_result: full, ...rest }: JsonObject,
) {
  if (rest.tool_name === "transfer_to_number" && isError === true) state.isTransferred = false;
  const name = typeof id === "string" ? state.open.get(id) : undefined;
  if (name === undefined || typeof id !== "string") return;
  state.open.delete(id);
  const result = typeof full === "string" ? { result: jsonOrText(full) } : {};
  const outcome = isError === true ? "failed" : "succeeded";
  state.events.push({ kind: "tool", call: { name, arguments: {}, outcome, ...result } });
}

/** Errors that are about what was sent. */
const REFUSED: readonly unknown[] = [
  ...["invalid_message", "value_error", "missing_fields", "override_error"],
  ...["missing_dynamic_variable", "missing_dynamic_variable_transfer"],
];

function faultOf({ fail }: Conversation, { error_type: type, message, reason, code }: JsonObject): ConnectionError {
  const words = [type, message, reason].filter((word) => typeof word === "string" && word !== "").join(": ");
  const hint = type === "override_error" ? " (allow the override of text_only in the agent's security settings)" : "";
  return fail(
    REFUSED.includes(type) ? "refused" : "vendor",
    `${words || `it reports error ${resultText(code)}`}${hint}`,
  );
}
