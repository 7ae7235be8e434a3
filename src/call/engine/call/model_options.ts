import { canonicalJson } from "../../../base/values/mod.ts";
import type { AgentNode } from "../../../document/graph/mod.ts";
import type { CallOptions } from "../../models/mod.ts";
import { count, exceededLimit, exceededText } from "../../turn/mod.ts";
import { type CallState, currentNode, end } from "./call_state.ts";
import { answerReplayed } from "./turn_timer.ts";

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
