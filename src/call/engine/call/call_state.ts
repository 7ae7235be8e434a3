import { GraphError } from "../../../base/errors.ts";
import { canonicalJson, didYouMean, own } from "../../../base/values/mod.ts";
import { expandText } from "../../../document/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../document/graph/mod.ts";
import type { TURN_MODES } from "../../../document/settings/mod.ts";
import {
  cutReply,
  type EndReason,
  type EvaluatedEquation,
  INTERRUPTS,
  type LatencyParts,
  type Message,
  type ToolCall,
  type TurnLatency,
} from "../../../document/transcript/mod.ts";
import type { CallClock, CallOptions, CallSettings, CallUsage, Model, Retry } from "../../models/mod.ts";
import {
  type Budget,
  count,
  exceededLimit,
  exceededText,
  type ReplyAhead,
  resultText,
  type Spent,
  type SteeringQueue,
  type ToolSources,
} from "../../turn/mod.ts";

/**
 * How a turn calls its models. `split`: the transition, then the reply. `speculative`: the reply of the current node is
 * requested while the transition is being decided, and used if the call stays. `fused`: one request decides and writes
 * the reply, where no tools are involved.
 */
export type TurnMode = (typeof TURN_MODES)[number];

/** A piece of a reply, as it is streamed. */
export interface TokenEvent {
  readonly text: string;
}

/** A message that was added to the transcript. */
export interface TranscriptEvent {
  readonly message: Message;
}

/** A tool call with its result. */
export interface ToolEvent {
  readonly call: ToolCall;
}

/** A model call that is about to be retried. */
export interface RetryEvent {
  readonly retry: Retry;
}

/**
 * Callbacks of a call. Each gets one event. Their return values are ignored. If one throws, the turn completes, and then
 * `open` or `hear` throws `callback-failed`.
 *
 * @typeParam Where What the events say besides: in a run, which call it is.
 */
export interface Listeners<Where = unknown> {
  /**
   * Streams the reply's text. A reply from a recording or a fused call arrives in one piece. An interrupted reply is
   * streamed again when it is retried. A discarded reply is never streamed.
   */
  readonly onToken?: (event: TokenEvent & Where) => void;
  /** Called with every message that is added to the transcript. */
  readonly onMessage?: (event: TranscriptEvent & Where) => void;
  /** Called with every tool call and its result. */
  readonly onTool?: (event: ToolEvent & Where) => void;
  /** Called before each retry of a model call; in a run, also of the judge's. */
  readonly onRetry?: (event: RetryEvent & Where) => void;
}

/** A speculative reply for one node. */
export interface NodeReplyAhead extends ReplyAhead {
  readonly node: string;
  /** Milliseconds of the request that made both decision and reply; absent if the reply had its own request. */
  readonly decidedMs?: number;
}

/** Measures one turn until the agent's first word, with the clock of the call. */
export interface TurnTimer {
  readonly startedMs: number;
  readonly parts: { -readonly [Part in keyof LatencyParts]: number };
  /** When the reply that is being made was requested; `undefined` for words of the graph. */
  replyFromMs: number | undefined;
  /** When the first token of that reply arrived; `undefined` if it is not streamed. */
  firstTokenMs: number | undefined;
  /** Set by the first message that the caller hears. */
  heard: { readonly nodeId: string; readonly afterMs: number } | undefined;
  /** Whether an answer of the turn came from a recording, which says nothing about the time that it took. */
  isReplayed: boolean;
}

/** The state of a call. Only the engine's functions change it. */
export interface CallState {
  readonly graph: AgentGraph;
  readonly agent: () => Promise<Model>;
  readonly sources: ToolSources;
  readonly steering: SteeringQueue;
  readonly budget: Budget;
  readonly spent: Spent;
  /** The usage of every model call so far. */
  readonly usage: CallUsage[];
  readonly signal: AbortSignal | undefined;
  /** Time limit, retries and middleware of every model call. */
  readonly calls: CallSettings & { readonly clock: CallClock };
  readonly turnMode: TurnMode;
  readonly listeners: Listeners;
  readonly now: () => Date;
  /** Given and extracted variables, as text. */
  readonly variables: Map<string, string>;
  readonly transcript: Message[];
  readonly nodesVisited: string[];
  readonly toolsCalled: ToolCall[];
  /** How long the caller waited in the turns so far. */
  readonly latency: TurnLatency[];
  /** Nodes from which global nodes were entered, oldest first. */
  readonly originators: string[];
  /** The id of the current node. */
  at: string;
  /** Index in the transcript at which the current node was entered. */
  enteredAt: number;
  /** Whether the current node has spoken since it was entered. */
  spokenHere: boolean;
  /** Speculative reply of this turn, until it is used or discarded. */
  replyAhead: NodeReplyAhead | undefined;
  /** Measures the current turn; `undefined` between turns. */
  timer: TurnTimer | undefined;
  /** Transitions taken in the current turn. */
  hops: number;
  /** Equations that were evaluated since the last transition or decision was recorded. */
  evaluated: readonly EvaluatedEquation[];
  endReason: EndReason | undefined;
  /** Details of the reason, such as which budget was exceeded. */
  endDetail: string | undefined;
}

/** Returns the node that the call is at; throws if the graph does not have it. */
export function currentNode(state: CallState): AgentNode {
  const node = own(state.graph.nodes, state.at);
  if (node) return node;
  throw new GraphError(`Cannot continue the call: node "${state.at}" does not exist`, {
    code: "unknown-target",
    path: ["nodes", state.at],
    hint: didYouMean(state.at, Object.keys(state.graph.nodes), "Add the node, or change the transition to it"),
  });
}

/** A text of the graph with snippets and variables filled in. */
export function expanded(state: CallState, text: string | null | undefined): string {
  return expandText(text ?? "", state.graph.snippets, (name) => state.variables.get(name));
}

/** Adds a message to the transcript. */
export function record(
  state: CallState,
  role: Message["role"],
  content: string,
  metadata: Message["metadata"] = {},
): void {
  const message = { role, content, node_id: state.at, timestamp: state.now().toISOString(), metadata };
  state.transcript.push(message);
  state.listeners.onMessage?.({ message });
}

/**
 * Cuts the agent's last reply after a number of words, and records it.
 *
 * @returns The words that were not heard; `undefined` if the reply was over before.
 */
export function interruptReply(state: CallState, words: number, noted: Message["metadata"]): string | undefined {
  const cut = cutReply(state.transcript, words);
  if (!cut) return undefined;
  state.enteredAt -= cut.removed.filter((at) => at < state.enteredAt).length;
  record(state, "system", INTERRUPTS, { kind: "interruption", by: "caller", unheard: cut.unheard, ...noted });
  return cut.unheard;
}

/** Takes the equations that were evaluated since the last record, as metadata of the next one. */
export function evaluatedMetadata(state: CallState): Message["metadata"] {
  const { evaluated } = state;
  state.evaluated = [];
  return evaluated.length > 0 ? { equations: evaluated } : {};
}

/** Ends the call, unless it has ended already. */
export function end(state: CallState, reason: EndReason, detail?: string): void {
  if (state.endReason) return;
  state.endReason = reason;
  state.endDetail = detail;
  if (state.evaluated.length > 0)
    record(state, "tool", "no transition taken: the call ended before one was chosen", {
      kind: "decision",
      ...evaluatedMetadata(state),
    });
}

/** Adds a tool call to the list of calls and to the transcript. */
export function recordToolCall(state: CallState, call: Omit<ToolCall, "nodeId">): void {
  const { durationMs, ...rest } = call;
  const { name, arguments: args, result, outcome } = rest;
  const kept = { ...call, nodeId: state.at };
  state.toolsCalled.push(kept);
  state.listeners.onTool?.({ call: kept });
  record(state, "tool", `${name}(${JSON.stringify(args)}) ${outcome}: ${resultText(result)}`, {
    kind: "tool_call",
    ...rest,
    duration_ms: durationMs, // messages are documents, in snake_case
  });
}

/** Options of every model call in a conversation: abort signal, limits and usage counting. */
export function modelOptions(state: CallState): CallOptions & Required<Pick<CallOptions, "onUsage">> {
  // a getter: the current node may change during the call
  const node = currentNode(state);
  return {
    ...state.calls,
    ...(state.signal ? { signal: state.signal } : {}),
    slice: () => influence(node),
    ...(state.calls.around ? { onReplayed: () => answerReplayed(state) } : {}),
    onUsage: (usage) => {
      count(state.spent, usage);
      state.usage.push(usage);
    },
  };
}

/**
 * Ends the call if its budget is used up. For model calls other than replies, whose budget the turn graph checks.
 *
 * @returns Whether the call has ended.
 */
export function isSpent(state: CallState): boolean {
  const exceeded = exceededLimit("call", state.budget.call, state.spent);
  if (exceeded) end(state, "budget_exceeded", exceededText(exceeded));
  return exceeded !== undefined;
}

/** The parts of a node that can influence a model call; canvas positions and other metadata cannot. */
function influence(node: AgentNode): string {
  const plain = <Item extends { readonly metadata?: unknown }>({ metadata: _, ...rest }: Item) => rest;
  return canonicalJson({ ...plain(node), transitions: node.transitions.map(plain), tools: node.tools.map(plain) });
}

/** Starts to measure a turn. */
export function startTimer(state: CallState): void {
  state.timer = {
    startedMs: state.calls.clock.now(),
    parts: { transition: 0, extraction: 0, tools: 0, reply: 0 },
    replyFromMs: undefined,
    firstTokenMs: undefined,
    heard: undefined,
    isReplayed: false,
  };
}

/** Runs work that the caller waits for, and adds its time to a part of the turn. */
export async function timed<Result>(
  state: CallState,
  part: Exclude<keyof LatencyParts, "reply">,
  work: () => Promise<Result>,
): Promise<Result> {
  const { timer } = state;
  if (!timer || timer.heard) return await work();
  const { now } = state.calls.clock;
  const startedMs = now();
  try {
    return await work();
  } finally {
    timer.parts[part] += now() - startedMs;
  }
}

/**
 * Marks the request of a reply.
 *
 * @param decidedMs Time of the request that made both the decision and the reply. It counts as the reply's.
 */
export function replyRequested({ timer, calls }: CallState, decidedMs = 0): void {
  if (!timer || timer.heard) return;
  timer.replyFromMs = calls.clock.now();
  timer.firstTokenMs = undefined;
  timer.parts.transition -= decidedMs;
  timer.parts.reply += decidedMs;
}

/** Marks that an answer of the turn came from a recording. */
function answerReplayed({ timer }: CallState): void {
  if (timer) timer.isReplayed = true;
}

/** Marks the arrival of a token of the reply. */
export function tokenArrived({ timer, calls }: CallState): void {
  if (timer) timer.firstTokenMs ??= calls.clock.now();
}

/** Discards the tokens so far: text next to tool calls is not spoken. */
export function tokensUnspoken({ timer }: CallState): void {
  if (timer) timer.firstTokenMs = undefined;
}

/** Adds the time of the tools that the reply called. */
export function toolsAnswered({ timer }: CallState, toolsMs: number): void {
  if (!timer || timer.heard) return;
  timer.parts.tools += toolsMs;
  timer.parts.reply -= toolsMs;
}

/** Marks that the caller hears the current node. Only the first message of a turn counts. */
export function wordsHeard({ timer, calls, at }: CallState): void {
  if (!timer || timer.heard) return;
  const { startedMs, replyFromMs, parts } = timer;
  const heardMs = replyFromMs === undefined ? calls.clock.now() : (timer.firstTokenMs ?? calls.clock.now());
  if (replyFromMs !== undefined) parts.reply += heardMs - replyFromMs;
  timer.heard = { nodeId: at, afterMs: heardMs - startedMs };
}

/**
 * Ends the measurement of a turn and keeps it. Nothing is kept of an opening in which the agent waits for the caller, of
 * an aborted turn, and of a turn with answers from a recording.
 */
export function stopTimer(state: CallState): void {
  const { timer, transcript } = state;
  state.timer = undefined;
  if (!timer || timer.isReplayed) return;
  const { heard, parts } = timer;
  let turn = 0;
  for (const message of transcript) if (message.role === "user") turn += 1;
  if (!heard && (state.endReason === "aborted" || (turn === 0 && !state.endReason))) return;
  const latency: TurnLatency = heard
    ? { turn, nodeId: heard.nodeId, firstWordMs: rounded(heard.afterMs), parts: roundedParts(parts) }
    : { turn, nodeId: state.at, firstWordMs: null };
  state.latency.push(latency);
}

function roundedParts({ transition, extraction, tools, reply }: LatencyParts): LatencyParts {
  return {
    transition: rounded(transition),
    extraction: rounded(extraction),
    tools: rounded(tools),
    reply: rounded(reply),
  };
}

/** To a tenth of a millisecond, and without the -0 and the tiny negative values of subtraction. */
function rounded(ms: number): number {
  return Math.max(0, Math.round(ms * 10) / 10);
}
