import type { NodeType, Transition } from "./types.ts";

/**
 * Infers the type of a node without one, as in older documents. Silent, `extract` or `logic`, are nodes whose transitions
 * are all `equation` or `always`, with at least one equation; others are `conversation`.
 */
export function inferNodeType(node: {
  readonly transitions: readonly Transition[];
  readonly variables_to_extract: readonly unknown[];
}): NodeType {
  const types = node.transitions.map((transition) => transition.condition.type);
  const silent = types.includes("equation") && types.every((type) => type === "equation" || type === "always");
  if (!silent) return "conversation";
  return node.variables_to_extract.length > 0 ? "extract" : "logic";
}
