import { GraphError } from "../errors.ts";
import { expandPrompt } from "../expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../graph/mod.ts";
import type { CallClock, CallSettings, CallUsage, Model, Retry } from "../models/mod.ts";
import type { EndReason, Message, ToolCall } from "../transcript/mod.ts";
import type { Budget, ReplyAhead, Spent, SteeringQueue, ToolSources } from "../turn/mod.ts";
import { didYouMean, own } from "../values/mod.ts";

/**
 * How a turn asks its models. `split`: the transition, then the reply. `speculative`: the reply from the current node is
 * written while the transition is being decided, and used if nothing fires. `fused`: one call decides and speaks, where
 * no tools are in play.
 */
export type TurnMode = "split" | "speculative" | "fused";

/** Called during a call, as things happen. What they return is ignored; one that fails does not break the call. */
export interface Listeners {
  /**
   * The words of a model's reply as they come, or in one piece where they come in one: from a recording, or along with a
   * decision. A reply that breaks off and is tried again is told again; one that is thrown away is never told.
   */
  readonly onToken?: (text: string) => void;
  /** Every line that joins the transcript. */
  readonly onMessage?: (message: Message) => void;
  /** Every tool call that was answered. */
  readonly onTool?: (call: ToolCall) => void;
  /** Called before each retry of a model call. */
  readonly onRetry?: (retry: Retry) => void;
}

/** A reply requested ahead for one node. */
export interface NodeReplyAhead extends ReplyAhead {
  readonly node: string;
}

/** Everything that a call knows and has done. One object, changed by the engine's functions alone. */
export interface CallState {
  readonly graph: AgentGraph;
  readonly agent: () => Promise<Model>;
  readonly sources: ToolSources;
  readonly steering: SteeringQueue;
  readonly budget: Budget;
  readonly spent: Spent;
  /** Every model call so far. */
  readonly usage: CallUsage[];
  readonly signal: AbortSignal | undefined;
  /** Time limit, retries and middleware of every model call. */
  readonly calls: CallSettings & { readonly clock: CallClock };
  readonly turnMode: TurnMode;
  readonly listeners: Listeners;
  readonly now: () => Date;
  /** As text; given ones and extracted ones. */
  readonly variables: Map<string, string>;
  readonly transcript: Message[];
  readonly nodesVisited: string[];
  readonly toolsCalled: ToolCall[];
  /** Nodes that global nodes were entered from, oldest first. */
  readonly originators: string[];
  /** The node the caller is at. */
  at: string;
  /** Where in the transcript the caller came to this node. */
  enteredAt: number;
  /** Whether the node has spoken since it was entered. */
  spokenHere: boolean;
  /** Written ahead for this turn, until it is used or given up. */
  replyAhead: NodeReplyAhead | undefined;
  /** Moves made in the turn that is running. */
  hops: number;
  endReason: EndReason | undefined;
  /** Why, in words, where a reason of {@link EndReason} does not say it all. */
  endDetail: string | undefined;
}

/** The node the caller is at. */
export function currentNode(state: CallState): AgentNode {
  const node = own(state.graph.nodes, state.at);
  if (node) return node;
  throw new GraphError(`Cannot go on with the call: there is no node "${state.at}"`, {
    code: "unknown-target",
    path: ["nodes", state.at],
    hint: didYouMean(state.at, Object.keys(state.graph.nodes), "Add the node, or change the transition to it"),
  });
}

/** A text of the graph with snippets and variables filled in. */
export function expanded(state: CallState, text: string | null | undefined): string {
  const variables = Object.fromEntries(state.variables);
  return expandPrompt(text ?? "", { snippets: state.graph.snippets, variables });
}

/** Adds a line to the transcript. */
export function record(
  state: CallState,
  role: Message["role"],
  content: string,
  metadata: Message["metadata"] = {},
): void {
  const message = { role, content, node_id: state.at, timestamp: state.now().toISOString(), metadata };
  state.transcript.push(message);
  state.listeners.onMessage?.(message);
}

/** Ends the call, unless it has ended already. */
export function end(state: CallState, reason: EndReason, detail?: string): void {
  if (state.endReason) return;
  state.endReason = reason;
  state.endDetail = detail;
}
