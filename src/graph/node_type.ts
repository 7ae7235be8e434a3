import type { NodeType, Transition } from "./types.ts";

/**
 * The type of a node that names none, as older documents leave it: all transitions `equation` or `always`, with at
 * least one equation, make it silent; any other node talks.
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
