import type { AgentNode } from "../graph/mod.ts";
import type { CallOptions } from "../models/mod.ts";
import { count, exceededLimit, exceededText } from "../turn/mod.ts";
import { canonicalJson } from "../values/mod.ts";
import { type CallState, currentNode, end } from "./call_state.ts";

/** What holds for every model call of a call: its signal, its limits, and who counts what it cost. */
export function modelOptions(state: CallState): CallOptions {
  // asked for while the call is under way, when the caller may have been moved on
  const node = currentNode(state);
  return {
    ...state.calls,
    ...(state.signal ? { signal: state.signal } : {}),
    slice: () => influence(node),
    onUsage: (usage) => {
      count(state.spent, usage);
      state.usage.push(usage);
    },
  };
}

/**
 * Whether the call's budget is used up before a call that is no part of a reply; the call has then ended.
 *
 * Replies are held to it by the turn graph.
 */
export function isSpent(state: CallState): boolean {
  const exceeded = exceededLimit("call", state.budget.call, state.spent);
  if (exceeded) end(state, "budget_exceeded", exceededText(exceeded));
  return exceeded !== undefined;
}

/** What of a node can influence a call made at it; its place on a canvas and other metadata cannot. */
function influence(node: AgentNode): string {
  const plain = <Item extends { readonly metadata?: unknown }>({ metadata: _, ...rest }: Item) => rest;
  return canonicalJson({ ...plain(node), transitions: node.transitions.map(plain), tools: node.tools.map(plain) });
}
