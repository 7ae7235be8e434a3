import { defined, isRecord, type JsonObject, shorten } from "../../../src/base/values/mod.ts";
import {
  type AgentEvent,
  type AgentTurn,
  type ConnectionError,
  type ConnectionFailure,
  connectionFailure,
  type ReportedToolCall,
} from "../../../src/call/connection/mod.ts";

/** Where a bot is in its turn. */
export interface BotState {
  isReady: boolean;
  events: AgentEvent[];
  /** The words of the answer so far. */
  text: string;
  isAnswering: boolean;
  /** Whether the bot has got the caller's words. */
  isHeard: boolean;
  /** Whether the current answer calls a function. */
  calls: boolean;
  /** Calls that were announced, and of which the arguments are not known yet. */
  announced: number;
  /** Calls of this turn that run, by id. */
  readonly running: Map<string, ReportedToolCall>;
  /** Calls that ran when the caller spoke: the turn does not wait for them. */
  readonly earlier: Map<string, ReportedToolCall>;
  isOver: boolean;
  /** All calls of functions. */
  readonly called: ReportedToolCall[];
  /** The function that was called last. */
  lastCalled: string | undefined;
  /** An error that may be why the bot says nothing. */
  error: string | undefined;
}

/** A bot that has not said anything. */
export function startState(): BotState {
  return {
    isReady: false,
    events: [],
    text: "",
    isAnswering: false,
    isHeard: true,
    calls: false,
    announced: 0,
    running: new Map(),
    earlier: new Map(),
    isOver: false,
    called: [],
    lastCalled: undefined,
    error: undefined,
  };
}

/** Makes the error of a bot. */
export type Fail = (kind: ConnectionFailure, words: string) => ConnectionError;

/** What a bot's errors need to know of it. */
export interface BotNames {
  readonly name: string;
  readonly withoutSecrets: (text: string) => string;
}

export function failOf({ name, withoutSecrets }: BotNames): Fail {
  return (kind, words) => connectionFailure(name, kind, shorten(withoutSecrets(words), 300));
}

/** How a call ends that the bot ends now: it has transferred it if the last function did. */
export function endingOf({ lastCalled }: BotState, transfers: readonly string[]): NonNullable<AgentTurn["ended"]> {
  return lastCalled !== undefined && transfers.includes(lastCalled) ? "agent_transferred" : "agent_ended";
}

/**
 * Reads a message of a bot.
 *
 * @throws {ConnectionError} For a message that cannot be read, and an error of the bot.
 */
export function readMessage(state: BotState, { label, type, data }: JsonObject, fail: Fail): void {
  if (label !== "rtvi-ai") return;
  const content = isRecord(data) ? data : {};
  if (type === "bot-ready") state.isReady = true;
  else if (type === "bot-llm-started") Object.assign(state, { isAnswering: true, calls: false });
  else if (type === "bot-llm-text") addText(state, content, fail);
  else if (type === "user-llm-text" || (type === "user-input" && content.input_type === "chat")) state.isHeard = true;
  else if (type === "llm-function-call-started") announce(state);
  else if (type === "llm-function-call-in-progress") startCall(state, content, fail);
  else if (type === "llm-function-call-stopped") endCall(state, content, fail);
  else if (type === "bot-llm-stopped") endAnswer(state);
  else if (type === "error-response") throw fail("refused", `it refuses a message: ${wordsOf(content)}`);
  else if (type === "error" && content.fatal === true) throw fail("vendor", `it reports: ${wordsOf(content)}`);
  else if (type === "error") state.error = wordsOf(content);
}

function addText(state: BotState, { text }: JsonObject, fail: Fail): void {
  if (typeof text !== "string") throw fail("vendor", "it sent bot-llm-text without a text");
  // after an interruption, words of the answer before may still come
  if (state.isAnswering) state.text += text;
}

function announce(state: BotState): void {
  state.announced += 1;
  state.calls = true;
}

function startCall(
  state: BotState,
  { tool_call_id: id, function_name: name, arguments: args }: JsonObject,
  fail: Fail,
) {
  if (typeof id !== "string" || typeof name !== "string" || !isRecord(args ?? {}))
    throw fail("vendor", "it calls a function without naming it: a bot of Pipecat 1.13 or later is needed");
  state.announced = Math.max(0, state.announced - 1);
  state.calls = true;
  state.lastCalled = name;
  state.running.set(id, { name, arguments: isRecord(args) ? args : {} });
}

function endCall(state: BotState, { tool_call_id: id, cancelled, result }: JsonObject, fail: Fail): void {
  const key = typeof id === "string" ? id : "";
  const call = state.running.get(key) ?? state.earlier.get(key);
  if (!call) throw fail("vendor", "a function returned that was not called");
  state.running.delete(key);
  state.earlier.delete(key);
  flush(state);
  const ending =
    cancelled === true
      ? ({ outcome: "failed", result: "cancelled" } as const)
      : result === null
        ? {}
        : defined({ result });
  addCall(state, { ...call, ...ending });
}

export function addCall(state: BotState, call: ReportedToolCall): void {
  state.called.push(call);
  state.events.push({ kind: "tool", call });
}

function endAnswer(state: BotState): void {
  // the end of an answer that was interrupted
  if (!state.isAnswering) return;
  flush(state);
  state.isAnswering = false;
  state.isOver = state.isHeard && !state.calls && state.running.size === 0 && state.announced === 0;
}

/** Makes the words so far an event: what follows came after them. */
export function flush(state: BotState): void {
  if (state.text.trim() !== "") state.events.push({ kind: "says", text: state.text });
  state.text = "";
}

function wordsOf({ error }: JsonObject): string {
  return typeof error === "string" && error !== "" ? error : "no reason is given";
}
