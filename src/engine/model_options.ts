import { type AgentNode, canonicalJson } from "../graph/mod.ts";
import type { CallOptions } from "../models/mod.ts";
import { type CallState, currentNode } from "./call_state.ts";

/** What holds for every model call of a call: its signal, its limits, and who counts what it cost. */
export function modelOptions(state: CallState): CallOptions {
  return {
    ...state.calls,
    ...(state.signal ? { signal: state.signal } : {}),
    slice: () => influence(currentNode(state)),
    onUsage: (usage) => {
      state.spent.modelCalls += 1;
      state.spent.tokens += usage.input_tokens + usage.output_tokens;
      state.spent.costUsd += usage.cost_usd ?? 0;
      state.usage.push(usage);
    },
  };
}

/** What of a node can influence a call made at it; its place on a canvas and other metadata cannot. */
function influence(node: AgentNode): string {
  const plain = <Item extends { readonly metadata?: unknown }>({ metadata: _, ...rest }: Item) => rest;
  return canonicalJson({ ...plain(node), transitions: node.transitions.map(plain), tools: node.tools.map(plain) });
}
