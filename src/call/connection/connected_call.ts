import { EngineError, ModelError } from "../../base/errors.ts";
import {
  type Clock,
  defined,
  isListOf,
  isRecord,
  isTexts,
  own,
  shown,
  startTimeLimit,
  untilAborted,
} from "../../base/values/mod.ts";
import { textOf } from "../../document/expressions/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { EndReason, Message, ToolCall, TurnLatency } from "../../document/transcript/mod.ts";
import type { Conversation, Listeners, Turn } from "../engine/mod.ts";
import type { CallClock, CallUsage } from "../models/mod.ts";
import { resultText } from "../turn/mod.ts";
import type {
  AgentCall,
  AgentConnection,
  AgentEvent,
  AgentTurn,
  ConnectionRecord,
  OpenOptions,
  ReportedToolCall,
} from "./connection.ts";
import { ConnectionError, connectionFailure } from "./connection_error.ts";

/** A call that a run holds: with the engine that plays a graph, or over a connection. */
export type HeldCall = Pick<
  Conversation,
  | "open"
  | "hear"
  | "end"
  | "ended"
  | "endReason"
  | "endDetail"
  | "transcript"
  | "nodesVisited"
  | "toolsCalled"
  | "variables"
  | "usage"
  | "latency"
>;

/** Options of a call over a connection. */
export interface ConnectedCallOptions extends Omit<OpenOptions, "pauseClock"> {
  readonly clock: CallClock;
  readonly now: () => Date;
  readonly listeners?: Listeners | undefined;
  /** Names the nodes that the agent reports. */
  readonly graph?: AgentGraph | undefined;
  /** Clock of the time limit of closing. Default: the machine's. */
  readonly timers?: Clock | undefined;
}

/** Time limit for closing a call, in milliseconds. */
const CLOSE_TIMEOUT_MS = 10_000;

/** A call with an agent where it runs, in the form of a call with the engine. */
export class ConnectedCall implements HeldCall {
  readonly #connection: AgentConnection;
  readonly #options: ConnectedCallOptions;
  readonly #transcript: Message[] = [];
  readonly #toolsCalled: ToolCall[] = [];
  readonly #latency: TurnLatency[] = [];
  readonly #variables = new Map<string, string>();
  #nodesVisited: string[] = [];
  #opening: Promise<AgentCall> | undefined;
  #call: AgentCall | undefined;
  #record: ConnectionRecord | undefined;
  #turns = 0;
  #at = "";
  #endReason: EndReason | undefined;
  #endDetail: string | undefined;

  constructor(connection: AgentConnection, options: ConnectedCallOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#merge(options.variables);
  }

  get transcript(): readonly Message[] {
    return this.#transcript;
  }
  get nodesVisited(): readonly string[] {
    return this.#nodesVisited;
  }
  get toolsCalled(): readonly ToolCall[] {
    return this.#toolsCalled;
  }
  get variables(): { readonly [name: string]: string } {
    return Object.fromEntries(this.#variables);
  }
  /** Empty: what the agent's models use is not known. */
  get usage(): readonly CallUsage[] {
    return [];
  }
  get latency(): readonly TurnLatency[] {
    return this.#latency;
  }
  get ended(): boolean {
    return this.#endReason !== undefined;
  }
  get endReason(): EndReason | undefined {
    return this.#endReason;
  }
  get endDetail(): string | undefined {
    return this.#endDetail;
  }
  /** What the connection said after the call; `undefined` before `close()`. */
  get record(): ConnectionRecord | undefined {
    return this.#record;
  }

  async open(): Promise<Turn> {
    const { clock, variables, mocks, allowRealTools, signal } = this.#options;
    const given = { variables, mocks, allowRealTools, signal, pauseClock: clock.pause };
    return await this.#turn(async () => {
      this.#opening = this.#ask(() => this.#connection.open(given));
      const opened = await this.#opening;
      const call: unknown = opened;
      if (isRecord(call) && typeof call.say === "function" && typeof call.close === "function") {
        this.#call = opened;
        return opened.opening;
      }
      throw this.#fault(`it opened ${shown(call)}, which is no call with opening, say and close`);
    }, true);
  }

  async hear(text: string): Promise<Turn> {
    const call = this.#call;
    if (!call)
      throw new EngineError("Cannot hear the caller: the call is not open", {
        code: "call-not-open",
        hint: "Call open() first",
      });
    this.#turns += 1;
    this.#add("user", text);
    return await this.#turn(() => this.#ask(() => call.say(text)), false, this.#transcript.length - 1);
  }

  end(reason: EndReason, detail?: string): void {
    if (this.#endReason) return;
    this.#endReason = reason;
    this.#endDetail = detail;
  }

  /**
   * Closes the connection, if it was opened, and adds what is known only then. It has its own time limit.
   *
   * @throws {ConnectionError} When closing fails or takes too long, or the record lacks what the connection promises.
   */
  async close(): Promise<void> {
    const opening = this.#opening;
    if (!opening) return;
    using limit = startTimeLimit(CLOSE_TIMEOUT_MS, undefined, this.#options.timers);
    const closing = async () => {
      // open() has thrown its error, also for a value that is no call
      const call = await opening.then(() => this.#call).catch(() => undefined);
      return call ? { record: await this.#ask(() => call.close({ signal: limit.signal })) } : undefined;
    };
    let closed: { readonly record: ConnectionRecord } | undefined;
    try {
      closed = await limit.until(closing());
    } catch (error) {
      if (!limit.expired()) throw error;
      const { name } = this.#connection;
      throw connectionFailure(name, "silence", `it did not close the call within ${CLOSE_TIMEOUT_MS} ms`);
    }
    if (closed === undefined) return;
    const { record } = closed;
    const given: unknown = record;
    if (!isConnectionRecord(given)) throw this.#fault(`it closed the call with ${shown(given)}, which is no record`);
    this.#record = record;
    this.#merge(record.variables ?? {});
    const { nodeAfterwards, nodeEachTurn } = this.#connection.capabilities;
    if (record.nodesVisited) this.#nodesVisited = record.nodesVisited.map((node) => this.#nameOf(node));
    else if (nodeAfterwards && !nodeEachTurn) throw this.#fault("its record does not have the visited nodes");
    if (record.toolsCalled) this.#replaceTools(record.toolsCalled);
    if (record.ended && !this.#isCut()) {
      this.#endReason = record.ended;
      this.#endDetail = undefined;
    }
  }

  /** Whether the call broke off: how the agent would have ended it is not known. */
  #isCut(): boolean {
    return ["aborted", "failed", "turn_timeout"].some((reason) => reason === this.#endReason);
  }

  /** Puts the tool calls of a record in place of those that turns reported. */
  #replaceTools(calls: readonly ReportedToolCall[]): void {
    const places = new Map<string, number[]>();
    for (const [at, { metadata }] of this.#transcript.entries()) {
      if (metadata.kind !== "tool_call") continue;
      const name = String(metadata.name);
      places.set(name, [...(places.get(name) ?? []), at]);
    }
    this.#toolsCalled.length = 0;
    for (const reported of calls) {
      const at = places.get(reported.name)?.shift();
      const before = at === undefined ? undefined : this.#transcript[at];
      const call = calledAt(reported, before?.node_id ?? this.#at);
      this.#toolsCalled.push(call);
      if (at !== undefined && before) this.#transcript[at] = { ...before, ...toolMessage(call) };
      else this.#add("tool", toolMessage(call).content, toolMessage(call).metadata);
    }
  }

  /** Runs a connection's function. What it throws becomes a typed error. */
  async #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (cause) {
      // a model of the caller's voice says nothing about the agent
      const isTyped = cause instanceof ConnectionError || cause instanceof ModelError;
      if (isTyped || this.#options.signal.aborted) throw cause;
      const words = cause instanceof Error ? cause.message : shown(cause);
      throw connectionFailure(this.#connection.name, "agent", words || "it threw an error without a message", {
        cause,
      });
    }
  }

  #fault(state: string): ConnectionError {
    return connectionFailure(this.#connection.name, "vendor", state);
  }

  async #turn(take: () => Promise<AgentTurn>, isOpening: boolean, before = this.#transcript.length): Promise<Turn> {
    const { clock, signal } = this.#options;
    const startedMs = clock.now();
    const turn = await untilAborted(take(), signal);
    // the call may have ended while the agent answered: its answer is late
    if (!this.ended) {
      const { events } = this.#checked(turn, isOpening);
      const says = events.some((event) => event.kind === "says" && event.text.trim() !== "");
      for (const event of events) this.#apply(event);
      this.#noteVariables(this.#merge(turn.variables ?? {}));
      if (says || !isOpening) {
        const firstWordMs = says ? (turn.firstWordMs ?? clock.now() - startedMs) : null;
        this.#latency.push({ turn: this.#turns, nodeId: this.#at, firstWordMs });
      }
      if (turn.ended) this.end(turn.ended);
    }
    const messages = this.#transcript.slice(before);
    return {
      messages,
      spoken: messages.filter(({ role }) => role === "assistant").map(({ content }) => content),
      nodeId: this.#at,
      ended: this.ended,
      endReason: this.#endReason,
    };
  }

  /** Refuses an answer that has not what the connection promises: its silence would look like an agent's choice. */
  #checked(turn: AgentTurn, isOpening: boolean): AgentTurn {
    const given: unknown = turn;
    if (!isRecord(given) || !Array.isArray(given.events) || !given.events.every(isEvent))
      throw this.#fault(`it answered with ${shown(given)}, which is no turn`);
    if (given.firstWordMs !== undefined && !(typeof given.firstWordMs === "number" && given.firstWordMs >= 0))
      throw this.#fault(`its first word came after ${shown(given.firstWordMs)} ms`);
    if (given.ended !== undefined && given.ended !== "agent_ended" && given.ended !== "agent_transferred")
      throw this.#fault(`it ended the call with ${shown(given.ended)}`);
    const isNamed = turn.events.some(({ kind }) => kind === "node");
    const isSilent = isOpening && turn.events.length === 0;
    if (this.#connection.capabilities.nodeEachTurn && !isNamed && !isSilent)
      throw this.#fault(`it did not name the node in ${isOpening ? "the opening" : `turn ${this.#turns}`}`);
    return turn;
  }

  #apply(event: AgentEvent): void {
    if (event.kind === "says") {
      if (event.text.trim() !== "") this.#add("assistant", event.text);
    } else if (event.kind === "node") this.#move(this.#nameOf(event.node));
    else this.#tool(event.call);
  }

  #move(to: string): void {
    if (to === this.#at) return;
    const from = this.#at;
    if (from !== "")
      this.#add("tool", `${from} -> ${to}: reported by the agent`, {
        kind: "transition",
        from,
        to,
        because: "reported",
      });
    this.#at = to;
    this.#nodesVisited.push(to);
  }

  #tool(reported: ReportedToolCall): void {
    const call = calledAt(reported, this.#at);
    this.#toolsCalled.push(call);
    this.#options.listeners?.onTool?.({ call });
    const { content, metadata } = toolMessage(call);
    this.#add("tool", content, metadata);
  }

  #add(role: Message["role"], content: string, metadata: Message["metadata"] = {}): void {
    const timestamp = this.#options.now().toISOString();
    const message: Message = { role, content, node_id: this.#at, timestamp, metadata };
    this.#transcript.push(message);
    this.#options.listeners?.onMessage?.({ message });
  }

  /** Returns the variables whose values changed. */
  #merge(variables: { readonly [name: string]: unknown }): { readonly [name: string]: string } {
    const changed = Object.entries(variables).flatMap(([name, value]) => {
      const text = textOf(value, name);
      return text === undefined || this.#variables.get(name) === text ? [] : [[name, text] as const];
    });
    for (const [name, text] of changed) this.#variables.set(name, text);
    return Object.fromEntries(changed);
  }

  /** Notes the variables that a turn changed: when in the turn is not known. */
  #noteVariables(variables: { readonly [name: string]: string }): void {
    const words = Object.entries(variables).map(([name, text]) => `${name} = ${JSON.stringify(text)}`);
    if (words.length === 0) return;
    this.#add("tool", `${words.join(", ")}: reported by the agent`, { kind: "variables", variables });
  }

  /** The id of a node in the graph, if the agent reports its name on the platform. */
  #nameOf(node: string): string {
    const { graph } = this.#options;
    if (!graph || own(graph.nodes, node)) return node;
    return Object.values(graph.nodes).find(({ metadata }) => metadata.name === node)?.id ?? node;
  }
}

/** A tool call with everything that the agent did not report. */
function calledAt(
  { name, arguments: args, result = null, outcome = "succeeded", mocked = false, durationMs = 0 }: ReportedToolCall,
  nodeId: string,
): ToolCall {
  return { name, arguments: args, result, outcome, durationMs, nodeId, mocked };
}

function toolMessage(call: ToolCall): Pick<Message, "content" | "metadata"> {
  const { nodeId: _, durationMs: duration_ms, ...rest } = call;
  const content = `${call.name}(${JSON.stringify(call.arguments)}) ${call.outcome}: ${resultText(call.result)}`;
  return { content, metadata: { kind: "tool_call", ...rest, duration_ms } };
}

function isConnectionRecord(value: unknown): value is ConnectionRecord {
  if (!isRecord(value)) return false;
  const { nodesVisited = [], variables = {}, toolsCalled = [], ended } = value;
  const isEnd = ended === undefined || ended === "agent_ended" || ended === "agent_transferred";
  return isTexts(nodesVisited) && isRecord(variables) && isListOf(toolsCalled, isToolCall) && isEnd;
}

function isToolCall(value: unknown): boolean {
  return isRecord(value) && typeof value.name === "string" && isRecord(value.arguments);
}

function isEvent(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value.kind === "says") return typeof value.text === "string";
  if (value.kind === "node") return typeof value.node === "string" && value.node !== "";
  return value.kind === "tool" && isToolCall(value.call);
}

/** What a finished call has to say of its connection. */
export function factsOf(connection: AgentConnection, call: ConnectedCall) {
  const { version = connection.version, callId, endReason, costUsd, recordingUrl } = call.record ?? {};
  return { agent: connection.name, ...defined({ version, callId, endReason, costUsd, recordingUrl }) };
}
