import type { AgentNode } from "../../../document/graph/mod.ts";

/** The transitions of a node that the engine decides by equations, with their indexes. */
export function equationTransitions({ transitions }: AgentNode) {
  return [...transitions.entries()].filter(
    ([, { condition }]) => condition.type === "equation" && (condition.equations ?? []).length > 0,
  );
}
