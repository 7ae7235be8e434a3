import { EngineError, isCallweaveError } from "../../base/errors.ts";
import { type Clock, readableError, thrownWords } from "../../base/values/mod.ts";
import { type AgentGraph, isOverAtOnce, openingOf } from "../../document/graph/mod.ts";
import type { EndReason, Message, ToolCall, TurnLatency } from "../../document/transcript/mod.ts";
import type { CallUsage } from "../models/mod.ts";
import { copyToolState } from "../turn/mod.ts";
import {
  type CallState,
  type ConversationSnapshot,
  currentNode,
  end,
  expanded,
  interruptReply,
  parseSnapshot,
  record,
  startTimer,
  stopTimer,
  takeSnapshot,
  wordsHeard,
} from "./call/mod.ts";
import { chooseAfterHearing } from "./decisions.ts";
import {
  type ConversationOptions,
  callableGraph,
  checkConversationOptions,
  checkWords,
  createCallbackGuard,
  startCall,
  throwFailure,
} from "./options/mod.ts";
import { dropReplyAhead } from "./reply.ts";
import { leaveAfterSpeech, walk } from "./walk.ts";

/**
 * A call with an agent, one turn at a time.
 *
 * @throws {GraphError} `not-a-graph`, `unknown-entry`.
 * @throws {EngineError} `missing-model`, `invalid-option`; for `from`: `not-a-snapshot`, `snapshot-mismatch`.
 * @throws {ModelError} From `open` and `hear`, when a model fails; the call has then ended with `failed`.
 * @throws {EngineError} From `open` and `hear`, after the turn: `callback-failed`, when a listener has failed.
 * @example
 * ```ts
 * import { conversation, flow, offline } from "callweave";
 *
 * const hello = flow("hello").conversation("greet", { prompt: "Greet the caller." }).compile();
 * const call = conversation(hello, { models: { agent: offline() } });
 * await call.open();
 * const turn = await call.hear("Good morning");
 * console.log(turn.spoken);
 * ```
 */
export function conversation(graph: AgentGraph, options: ConversationOptions): Conversation {
  return new Conversation(graph, options);
}

/** A call in progress; see {@link conversation}. */
export class Conversation {
  readonly #state: CallState;
  readonly #callbacks = createCallbackGuard();
  /** Aborted when the call is ended from outside, to cancel requests in progress. */
  readonly #hungUp = new AbortController();
  #opened: boolean;
  #busy = false;

  /** @param timers Clock of requests and tools. Default: the machine's. */
  constructor(source: AgentGraph, options: ConversationOptions, timers?: Clock) {
    const graph = callableGraph(source);
    checkConversationOptions(options);
    const from = options.from === undefined ? undefined : parseSnapshot(options.from, graph);
    this.#state = startCall(graph, options, { callbacks: this.#callbacks, hungUp: this.#hungUp.signal, from, timers });
    this.#opened = from?.opened ?? false;
  }

  /** Every message, oldest first. */
  get transcript(): readonly Message[] {
    return this.#state.transcript;
  }
  /** Ids of visited nodes, the entry first. A node that is entered again is listed again. */
  get nodesVisited(): readonly string[] {
    return this.#state.nodesVisited;
  }
  get toolsCalled(): readonly ToolCall[] {
    return this.#state.toolsCalled;
  }
  /** A copy of the tools' state; `undefined` if recorded results answered, which do not change it. */
  get toolState(): { readonly [name: string]: unknown } | undefined {
    const { state } = this.#state.sources;
    return state?.isKnown ? copyToolState(state.value) : undefined;
  }
  /** Given and extracted variables, as text. */
  get variables(): { readonly [name: string]: string } {
    return Object.fromEntries(this.#state.variables);
  }
  /** Nodes from which global nodes were entered, and to which the call can go back. Oldest first. */
  get originators(): readonly string[] {
    return this.#state.originators;
  }
  /** The usage of every model call so far. */
  get usage(): readonly CallUsage[] {
    return this.#state.usage;
  }
  /** How long the caller waited in each turn so far. */
  get latency(): readonly TurnLatency[] {
    return this.#state.latency;
  }
  get ended(): boolean {
    return this.#state.endReason !== undefined;
  }
  get endReason(): EndReason | undefined {
    return this.#state.endReason;
  }
  /** Details of the end reason: the budget that was exceeded, the tool that failed. */
  get endDetail(): string | undefined {
    return this.#state.endDetail;
  }

  /**
   * Opens the call. The agent speaks first, unless the graph lets the caller begin.
   *
   * @throws {EngineError} `call-busy`, or `call-ended` when it was opened before.
   */
  async open(): Promise<Turn> {
    if (this.#opened) {
      throw new EngineError("Cannot open the call: it was opened before", {
        code: "call-ended",
        hint: "Create a new conversation() for each call",
      });
    }
    return await this.#turn(async (state) => {
      this.#opened = true;
      const opening = openingOf(state.graph);
      if (opening === "caller") return;
      if (opening === "node") return await walk(state);
      const words = expanded(state, state.graph.source_metadata.begin_message);
      if (words.trim()) await this.#begin(words); // a blank begin message: the caller speaks first
    });
  }

  /**
   * Passes the caller's message to the agent and returns its reply.
   *
   * @param noted Metadata of the message in the transcript.
   * @throws {EngineError} `call-not-open`, `call-busy`, `call-ended`; `invalid-option` when `text` is blank or not a
   *   string.
   */
  async hear(text: string, noted: Message["metadata"] = {}): Promise<Turn> {
    this.#checkOpen();
    checkWords(text, "Cannot hear the caller");
    return await this.#turn(async (state) => {
      record(state, "user", text, noted);
      const node = currentNode(state);
      if (node.node_type === "conversation") await chooseAfterHearing(state, node);
      await walk(state);
    });
  }

  /**
   * The caller interrupts the agent's last reply after a number of words. The transcript keeps the words that were heard,
   * for the agent's model, too, and a `system` message has the others.
   *
   * @param noted More metadata of that message.
   * @returns The words that were not heard; `undefined` if the reply was over before, and nothing is changed.
   * @throws {EngineError} `call-not-open`; `call-busy` during a turn.
   */
  interrupt(words: number, noted: Message["metadata"] = {}): string | undefined {
    this.#checkOpen();
    this.#checkFree("Cannot interrupt the agent");
    return interruptReply(this.#state, words, noted);
  }

  /**
   * Adds the caller's last words to the transcript. The caller hangs up with them, so that the agent does not answer.
   *
   * @param noted Metadata of the message.
   * @throws {EngineError} `call-not-open`; `call-busy` during a turn; `invalid-option` when `text` is blank or not a string.
   */
  async hearLast(text: string, noted: Message["metadata"] = {}): Promise<void> {
    this.#checkOpen();
    this.#checkFree("Cannot hear the caller");
    checkWords(text, "Cannot hear the caller");
    record(this.#state, "user", text, noted);
    this.end("caller_ended");
  }

  /** Adds a message for the model to the current turn, or to the next one. The caller does not hear it. */
  steer(text: string): void {
    checkWords(text, "Cannot steer the call");
    this.#state.steering.push(text);
  }

  /**
   * The state of the call as plain JSON, from which a new call can continue: `conversation(graph, { …, from: snapshot })`.
   *
   * @throws {EngineError} `call-busy` during a turn.
   */
  snapshot(): ConversationSnapshot {
    this.#checkFree("Cannot take a snapshot");
    return takeSnapshot(this.#state, this.#opened);
  }

  /**
   * Ends the call from outside and aborts the current turn. After that no tool is called and nothing is said. Does
   * nothing if the call has already ended.
   */
  end(reason: EndReason, detail?: string): void {
    end(this.#state, reason, detail);
    stopTimer(this.#state);
    this.#hungUp.abort();
  }

  /**
   * Speaks the begin message. It counts as the entry node's first speech, so transitions after speech fire after it.
   */
  async #begin(words: string): Promise<void> {
    const state = this.#state;
    wordsHeard(state);
    record(state, "assistant", words);
    const node = currentNode(state);
    const goesOn = node.node_type === "conversation" ? await leaveAfterSpeech(state, node) : isOverAtOnce(node);
    if (goesOn) await walk(state);
  }

  #checkOpen(): void {
    if (this.#opened) return;
    throw new EngineError("Cannot hear the caller: the call is not open", {
      code: "call-not-open",
      hint: "Call open() first",
    });
  }

  #checkFree(action: string): void {
    if (!this.#busy) return;
    throw new EngineError(`${action}: the call is in a turn`, {
      code: "call-busy",
      hint: "Await open() or hear() before that",
    });
  }

  async #turn(work: (state: CallState) => Promise<void>): Promise<Turn> {
    const state = this.#state;
    if (this.#busy || state.endReason) {
      throw new EngineError(`Cannot take a turn: ${this.#busy ? "a turn is already running" : "the call has ended"}`, {
        code: this.#busy ? "call-busy" : "call-ended",
        hint: this.#busy ? "Await open() or hear() before the next turn" : "Create a new conversation() for each call",
      });
    }
    this.#busy = true;
    const before = state.transcript.length;
    state.hops = 0;
    startTimer(state);
    try {
      await work(state);
    } catch (thrown) {
      const error = readableError(thrown);
      const aborted = state.signal?.aborted === true;
      end(state, aborted ? "aborted" : "failed", thrownWords(error));
      if (!aborted || !isCallweaveError(error) || error.code !== "aborted") throw error;
    } finally {
      dropReplyAhead(state);
      stopTimer(state);
      this.#busy = false;
    }
    throwFailure(this.#callbacks);
    const messages = state.transcript.slice(before);
    return {
      messages,
      spoken: messages.filter(({ role }) => role === "assistant").map(({ content }) => content),
      nodeId: state.at,
      ended: this.ended,
      endReason: state.endReason,
    };
  }
}

/** The outcome of one turn. */
export interface Turn {
  /** Messages that the turn added to the transcript, the caller's included. */
  readonly messages: readonly Message[];
  /** Texts that the caller heard, one for each time the agent spoke. */
  readonly spoken: readonly string[];
  /** The current node after the turn. */
  readonly nodeId: string;
  readonly ended: boolean;
  readonly endReason: EndReason | undefined;
}
