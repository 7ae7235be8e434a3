import type { NodeType, Transition } from "./types.ts";

/**
 * Infers the missing type of a node in an older document. A node whose transitions are all `equation` or `always`, with
 * at least one equation, is silent (`extract` or `logic`); others are `conversation`.
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
