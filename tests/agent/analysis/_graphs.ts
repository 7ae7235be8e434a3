import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";

/** A graph of these nodes that starts at the first of them. */
export function graphOf(nodes: { readonly [id: string]: object }, head: object = {}): AgentGraph {
  return parseGraph({ nodes, entry_node_id: Object.keys(nodes)[0], ...head });
}

export const always = (target: string, more: object = {}) => ({
  target_node_id: target,
  condition: { type: "always" },
  ...more,
});
export const llm = (target: string, value: string) => ({
  target_node_id: target,
  condition: { type: "llm_prompt", value },
});
export const when = (target: string, left: string, operator: string, right?: unknown) =>
  whenAll(target, { left, operator, ...(right === undefined ? {} : { right }) });
export const whenAll = (target: string, ...equations: readonly object[]) => ({
  target_node_id: target,
  condition: { type: "equation", equations },
});
export const onTool = (target: string, outcome?: string) => ({
  target_node_id: target,
  condition: { type: "tool_call", value: "", ...(outcome === undefined ? {} : { outcome }) },
});
export const says = (prompt: string, ...transitions: readonly object[]) => ({
  node_type: "conversation",
  state_prompt: prompt,
  transitions,
});
export const talk = (...transitions: readonly object[]) => says("Talk with the caller", ...transitions);
export const logic = (...transitions: readonly object[]) => ({ node_type: "logic", transitions });
export const extract = (variables: readonly object[], ...transitions: readonly object[]) => ({
  node_type: "extract",
  variables_to_extract: variables,
  transitions,
});
export const end = { node_type: "end" };
