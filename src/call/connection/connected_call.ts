import { EngineError, ModelError } from "../../base/errors.ts";
import { type Clock, defined, isRecord, own, shown, startTimeLimit, untilAborted } from "../../base/values/mod.ts";
import { textOf } from "../../document/expressions/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { CallerSpeech, PlannedInterruption } from "../../document/scenario/mod.ts";
import {
  cutReply,
  type EndReason,
  INTERRUPTS,
  type Message,
  type ToolCall,
  type TurnLatency,
} from "../../document/transcript/mod.ts";
import type { Listeners, Turn } from "../engine/mod.ts";
import type { CallClock, CallUsage } from "../models/mod.ts";
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
import type { CallerTurnStep, HeldCall } from "./held_call.ts";
import { calledAt, isConnectionRecord, isEvent, toolMessage } from "./reported.ts";

/** Options of a call over a connection. */
export interface ConnectedCallOptions extends Omit<OpenOptions, "pauseClock" | "ahead" | "speaks"> {
  /** How the caller speaks, for calls by voice. */
  readonly speaks?: CallerSpeech | undefined;
  readonly clock: CallClock;
  readonly now: () => Date;
  readonly listeners?: Listeners | undefined;
  /** Names the nodes that the agent reports. */
  readonly graph?: AgentGraph | undefined;
  /** Clock of the time limit of closing. Default: the machine's. */
  readonly timers?: Clock | undefined;
}

interface TurnKind {
  readonly isOpening?: boolean;
  /** The caller says nothing, so that nobody waits for an answer. */
  readonly isWordless?: boolean;
  readonly ahead?: PlannedInterruption | undefined;
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

  async open(ahead?: PlannedInterruption): Promise<Turn> {
    const { clock, variables, mocks, allowRealTools, signal, speaks } = this.#options;
    const given = {
      ...{ variables, mocks, allowRealTools, signal, pauseClock: clock.pause },
      ...defined({ speaks, ahead }),
    };
    return await this.#turn(
      async () => {
        this.#opening = this.#ask(() => this.#connection.open(given));
        const opened = await this.#opening;
        const call: unknown = opened;
        if (isRecord(call) && typeof call.say === "function" && typeof call.close === "function") {
          this.#call = opened;
          return opened.opening;
        }
        throw this.#fault(`it opened ${shown(call)}, which is no call with opening, say and close`);
      },
      { isOpening: true, ahead },
    );
  }

  async hear(text: string, noted: Message["metadata"] = {}, step?: CallerTurnStep): Promise<Turn> {
    const call = this.#openCall();
    this.#turns += 1;
    this.#add("user", text, noted);
    const before = this.#transcript.length - 1;
    this.#checkSteps(step);
    const isWordless = step?.act.kind === "silence" || step?.act.kind === "music";
    // an agent that reads text cannot be asked without words
    if (isWordless && !call.act) return this.#taken(before);
    const asked = () => (step && call.act ? call.act(step.act, { ahead: step.ahead }) : call.say(text));
    return await this.#turn(() => this.#ask(asked), { isWordless, ahead: step?.ahead }, before);
  }

  async hearLast(text: string, noted: Message["metadata"] = {}, step?: CallerTurnStep): Promise<void> {
    const call = this.#openCall();
    this.#turns += 1;
    this.#add("user", text, noted);
    this.#checkSteps(step);
    const { act } = call;
    if (step && act)
      await untilAborted(
        this.#ask(() => act(step.act, {})),
        this.#options.signal,
      );
    this.end("caller_ended");
  }

  /** Cuts the reply of an agent that does not hear the caller while it speaks. By voice, it has been interrupted. */
  interrupt(words: number, noted: Message["metadata"] = {}): string | undefined {
    if (this.#openCall().act) return undefined;
    const cut = cutReply(this.#transcript, words);
    if (!cut) return undefined;
    this.#add("system", INTERRUPTS, { kind: "interruption", by: "caller", unheard: cut.unheard, ...noted });
    return cut.unheard;
  }

  /** Refuses to take the words of a caller by voice for what it does. */
  #checkSteps(step: CallerTurnStep | undefined): void {
    const { text, voice } = this.#connection.capabilities;
    if (step && voice && !text && !this.#call?.act)
      throw this.#fault(`its calls by voice have no act(), so that the caller cannot do more than speak`);
  }

  #openCall(): AgentCall {
    if (this.#call) return this.#call;
    throw new EngineError("Cannot hear the caller: the call is not open", {
      code: "call-not-open",
      hint: "Call open() first",
    });
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

  async #turn(
    take: () => Promise<AgentTurn>,
    { isOpening = false, isWordless = false, ahead }: TurnKind,
    before = this.#transcript.length,
  ): Promise<Turn> {
    const { clock, signal } = this.#options;
    const startedMs = clock.now();
    const turn = await untilAborted(take(), signal);
    // the call may have ended while the agent answered: its answer is late
    if (!this.ended) {
      const { events } = this.#checked(turn, isOpening);
      const says = events.some((event) => event.kind === "says" && event.text.trim() !== "");
      for (const event of events) this.#apply(event);
      this.#noteVariables(this.#merge(turn.variables ?? {}));
      if (turn.interruption && ahead) {
        const noted = { ...ahead.after, ...(ahead.act.kind === "hang-up" ? { hangs_up: true } : {}) };
        this.#add("system", INTERRUPTS, { kind: "interruption", by: "caller", ...noted });
      }
      // nobody waits for an answer to silence
      if (!isWordless && (says || !isOpening)) {
        const firstWordMs = says ? (turn.firstWordMs ?? clock.now() - startedMs) : null;
        this.#latency.push({ turn: this.#turns, nodeId: this.#at, firstWordMs });
      }
      if (turn.ended) this.end(turn.ended);
    }
    return this.#taken(before);
  }

  #taken(before: number): Turn {
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
      const { text, reported } = event;
      if (text.trim() !== "") this.#add("assistant", text, reported === undefined ? {} : { reported });
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

/** What a finished call has to say of its connection. */
export function factsOf(connection: AgentConnection, call: ConnectedCall) {
  const { version = connection.version, callId, endReason, costUsd, recordingUrl, voice } = call.record ?? {};
  return { agent: connection.name, ...defined({ version, callId, endReason, costUsd, recordingUrl, voice }) };
}
