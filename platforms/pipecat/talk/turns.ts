import { defined, isRecord, type JsonObject, shorten } from "../../../src/base/values/mod.ts";
import {
  type AgentEvent,
  type AgentSocket,
  type AgentTurn,
  type ConnectionError,
  type ConnectionFailure,
  type ConnectionRecord,
  connectionFailure,
  type ReportedToolCall,
} from "../../../src/call/connection/mod.ts";

/** The messages of a bot, as turns. */
export interface BotTurns {
  /** Waits until the bot can be talked to. What it says before that is a part of its first turn. */
  ready(): Promise<void>;
  /** What has arrived since the last turn. It does not wait for more. */
  waiting(): Promise<AgentTurn>;
  /**
   * The next turn: the opening, or the reply to the caller. It is over with an answer of the model in which no function is
   * called, when all functions have returned: after an answer that calls one, another answer follows, also if the function
   * returns before the answer is complete. An answer that the bot completes before it reports the caller's words is not
   * the reply.
   */
  next(reply: "opening" | "reply"): Promise<AgentTurn>;
  /** Waits until the bot ends the call, and returns how, with all functions that it has called. */
  end(signal: AbortSignal): Promise<Pick<ConnectionRecord, "ended" | "toolsCalled">>;
}

interface TurnsOptions {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Names of functions that transfer the call. */
  readonly transfers: readonly string[];
  readonly withoutSecrets: (text: string) => string;
}

/** Where a bot is in its turn. */
interface State {
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

/** Reads the messages of a bot. */
export function startTurns(socket: AgentSocket, options: TurnsOptions): BotTurns {
  const { signal } = options;
  const state: State = {
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
  const ending = (): AgentTurn["ended"] => {
    const { lastCalled } = state;
    const isTransfer = lastCalled !== undefined && options.transfers.includes(lastCalled);
    return isTransfer ? "agent_transferred" : "agent_ended";
  };
  const fail: Fail = (kind, words) =>
    connectionFailure(options.name, kind, shorten(options.withoutSecrets(words), 300));
  const read = async (): Promise<boolean> => {
    const message = await socket.receiveJson({ signal });
    if (message) apply(state, message, fail);
    return message !== undefined;
  };
  const taken = (isEnded: boolean): AgentTurn => {
    if (isEnded || state.isOver) flush(state);
    // a function that transfers or hangs up does not return
    if (isEnded) {
      for (const call of state.running.values()) addCall(state, call);
      state.running.clear();
    }
    const { events } = state;
    state.events = [];
    return { events, ...defined({ ended: isEnded ? ending() : undefined }) };
  };
  return {
    ready: async () => {
      while (!state.isReady) {
        if (!(await read())) throw fail("vendor", "it closed the connection before it was ready");
      }
    },
    waiting: async () => {
      while (socket.waiting > 0) await read();
      const isEnded = !socket.isOpen && !(await read());
      // the caller's words interrupt what it was doing
      flush(state);
      for (const [id, call] of state.running) state.earlier.set(id, call);
      state.running.clear();
      Object.assign(state, { isAnswering: false, calls: false, announced: 0, isOver: false, error: undefined });
      return taken(isEnded);
    },
    next: async (kind) => {
      if (kind === "reply") state.isHeard = false;
      while (!state.isOver) if (!(await read())) return taken(true);
      const turn = taken(false);
      // silence of an agent would be judged, and this is a fault of what it runs on
      if (turn.events.length === 0 && state.error !== undefined) throw fail("vendor", `it reports: ${state.error}`);
      return turn;
    },
    end: async (until) => {
      for (;;) {
        const message = await socket.receiveJson({ signal: until });
        if (!message) break;
        apply(state, message, fail);
      }
      taken(true);
      return { ended: ending(), toolsCalled: state.called };
    },
  };
}

type Fail = (kind: ConnectionFailure, words: string) => ConnectionError;

function apply(state: State, { label, type, data }: JsonObject, fail: Fail): void {
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

function addText(state: State, { text }: JsonObject, fail: Fail): void {
  if (typeof text !== "string") throw fail("vendor", "it sent bot-llm-text without a text");
  // after an interruption, words of the answer before may still come
  if (state.isAnswering) state.text += text;
}

function announce(state: State): void {
  state.announced += 1;
  state.calls = true;
}

function startCall(state: State, { tool_call_id: id, function_name: name, arguments: args }: JsonObject, fail: Fail) {
  if (typeof id !== "string" || typeof name !== "string" || !isRecord(args ?? {}))
    throw fail("vendor", "it calls a function without naming it: a bot of Pipecat 1.13 or later is needed");
  state.announced = Math.max(0, state.announced - 1);
  state.calls = true;
  state.lastCalled = name;
  state.running.set(id, { name, arguments: isRecord(args) ? args : {} });
}

function endCall(state: State, { tool_call_id: id, cancelled, result }: JsonObject, fail: Fail): void {
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

function addCall(state: State, call: ReportedToolCall): void {
  state.called.push(call);
  state.events.push({ kind: "tool", call });
}

function endAnswer(state: State): void {
  // the end of an answer that was interrupted
  if (!state.isAnswering) return;
  flush(state);
  state.isAnswering = false;
  state.isOver = state.isHeard && !state.calls && state.running.size === 0 && state.announced === 0;
}

/** Makes the words so far an event: what follows came after them. */
function flush(state: State): void {
  if (state.text.trim() !== "") state.events.push({ kind: "says", text: state.text });
  state.text = "";
}

function wordsOf({ error }: JsonObject): string {
  return typeof error === "string" && error !== "" ? error : "no reason is given";
}
