import { setImmediate as nextTask } from "node:timers/promises";
import {
  defined,
  isRecord,
  type JsonObject,
  jsonOrText,
  recordAt,
  shorten,
  startTimeLimit,
} from "../../../src/base/values/mod.ts";
import {
  type AgentClient,
  type AgentEvent,
  type AgentSocket,
  type AgentTurn,
  type ConnectionError,
  type ConnectionFailure,
  connectionFailure,
} from "../../../src/call/connection/mod.ts";
import { Mocks, resultText } from "../../../src/call/turn/mod.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";
import { mockText } from "../../talking/mod.ts";

/** The messages of a conversation, as turns. */
export interface ConversationTurns {
  /** Waits for the beginning of the conversation, and returns its id. */
  ready(): Promise<string>;
  /** What has arrived since the last turn. It does not wait for more. */
  waiting(): Promise<AgentTurn>;
  /**
   * The next turn. It is over when the agent has spoken, no tool call is open, the last one was followed by words, and
   * then nothing comes for `settleMs`: the platform does not say whether a reply goes on. Messages that have arrived are
   * read before that is decided, so that a busy machine waits longer, and never less. An `agent_response_complete` ends
   * nothing: whether it comes before a tool, too, is not documented.
   */
  next(): Promise<AgentTurn>;
  /** Tools that mocks of the scenario have answered. */
  readonly answered: ReadonlySet<string>;
}

interface TurnsOptions {
  readonly name: string;
  readonly mocks: readonly ToolMock[];
  readonly signal: AbortSignal;
  readonly settleMs: number;
  readonly unanswered: ReadonlySet<string>;
  readonly client: Pick<AgentClient, "withoutSecrets">;
}

/** Answers the platform's pings, also between turns: it closes a conversation without answers. */
export function answerPing({ type, ping_event: ping }: JsonObject): JsonObject | undefined {
  return type === "ping" && isRecord(ping) ? { type: "pong", event_id: ping.event_id } : undefined;
}

interface State extends TurnsOptions {
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

/** Reads the messages of a conversation. */
export function startTurns(socket: AgentSocket, options: TurnsOptions): ConversationTurns {
  const { name, mocks, signal, settleMs, client } = options;
  const state: State = {
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
  const read = async (until = signal): Promise<boolean> => {
    const message = await socket.receiveJson({ signal: until });
    if (message) apply(state, message);
    return message !== undefined;
  };
  const taken = (isEnded: boolean): AgentTurn => {
    for (const text of state.parts.values()) say(state, text);
    const { events, isTransferred } = state;
    const reset = { events: [], isSpeaking: false, hasSpoken: false, needsWords: false };
    Object.assign(state, reset);
    state.parts.clear();
    state.open.clear();
    const ended = isTransferred ? ("agent_transferred" as const) : ("agent_ended" as const);
    return { events, ...defined({ ended: isEnded ? ended : undefined }) };
  };
  return {
    answered: state.answered,
    ready: async () => {
      while (state.conversationId === undefined)
        if (!(await read())) throw state.fail("vendor", "it closed the conversation before it began");
      return state.conversationId;
    },
    waiting: async () => {
      while (socket.waiting > 0) await read();
      return taken(!socket.isOpen && !(await read()));
    },
    next: async () => {
      for (;;) {
        if (!isSettling(state)) {
          if (!(await read())) return taken(true);
        } else {
          using limit = startTimeLimit(settleMs, signal);
          try {
            if (!(await read(limit.signal))) return taken(true);
          } catch (error) {
            if (!limit.expired()) throw error;
            // on a busy machine, the timer comes before messages that have arrived
            await nextTask();
            if (socket.waiting === 0 && socket.isOpen) return taken(false);
          }
        }
      }
    },
  };
}

/** Whether the turn is over if nothing more comes. */
function isSettling({ isSpeaking, hasSpoken, needsWords, open }: State): boolean {
  return hasSpoken && !isSpeaking && !needsWords && open.size === 0;
}

function apply(state: State, message: JsonObject): void {
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

function begin(state: State, { conversation_id: id }: JsonObject): void {
  if (typeof id !== "string" || id === "") throw state.fail("vendor", "its conversation has no id");
  state.conversationId = id;
}

function addPart(state: State, { type, text, event_id: id }: JsonObject): void {
  if (typeof text !== "string") throw state.fail("vendor", "it sent a part of a reply without a text");
  state.isSpeaking = type !== "stop";
  if (state.whole.has(id)) return;
  state.parts.set(id, (state.parts.get(id) ?? "") + text);
  if (type === "stop" && state.parts.get(id) !== "") spoken(state);
}

function addWhole(state: State, { agent_response: text, event_id: id }: JsonObject): void {
  if (typeof text !== "string") throw state.fail("vendor", "it sent a reply without a text");
  state.parts.delete(id);
  state.whole.add(id);
  say(state, text);
  spoken(state);
}

function spoken(state: State): void {
  state.hasSpoken = true;
  state.needsWords = false;
}

function say(state: State, text: string): void {
  if (text.trim() !== "") state.events.push({ kind: "says", text });
}

/** Answers a tool of the client. Without a mock it fails, as in a call with a graph. */
function answerTool(state: State, { tool_name: name, tool_call_id: id, parameters = {} }: JsonObject): void {
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

function startTool(state: State, { tool_name: name, tool_call_id: id, tool_type: kind }: JsonObject): void {
  if (name === "transfer_to_number") state.isTransferred = true;
  // the agent chooses to say nothing
  if (name === "skip_turn") spoken(state);
  if (kind === "system" || typeof name !== "string" || typeof id !== "string") return;
  if (kind !== "client") state.open.set(id, name);
  // the call itself of a tool of the client comes in a message of its own, maybe later, maybe before
  if (!state.called.has(id) && !state.unanswered.has(name)) state.needsWords = true;
}

/** A tool has answered. Its arguments are in the record of the call. */
function endTool(state: State, { tool_call_id: id, is_error: isError, full_tool_result: full, ...rest }: JsonObject) {
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

function faultOf({ fail }: State, { error_type: type, message, reason, code }: JsonObject): ConnectionError {
  const words = [type, message, reason].filter((word) => typeof word === "string" && word !== "").join(": ");
  const hint = type === "override_error" ? " (allow the override of text_only in the agent's security settings)" : "";
  return fail(
    REFUSED.includes(type) ? "refused" : "vendor",
    `${words || `it reports error ${resultText(code)}`}${hint}`,
  );
}
