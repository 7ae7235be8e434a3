import { checkGraph, type GraphTransition } from "../analysis/mod.ts";
import type { AgentGraph, Finding } from "../graph/mod.ts";
import { own } from "../values/mod.ts";
import type { UnreachableTransition } from "./types.ts";

/** Findings that explain why a transition is never taken. */
const EXPLAINS = new Set([
  ...["unknown-target", "unreachable-node", "island", "end-with-edges", "function-without-tool"],
  ...["empty-condition", "equation-mismatch", "unknown-choice", "never-true", "unreadable-number"],
  ...["shadowed-transition", "endless-loop", "undeclared-variable", "unset-variable", "unknown-variable"],
]);

/** Explains transitions that no path takes, with the findings of `check`. */
export function explainUnreachable(
  graph: AgentGraph,
  transitions: readonly GraphTransition[],
  isReached: (node: string) => boolean,
): readonly UnreachableTransition[] {
  if (transitions.length === 0) return [];
  const findings = checkGraph(graph).filter(({ code }) => EXPLAINS.has(code));
  return transitions.map((transition) => {
    const { node, to } = transition;
    const finding = findings.find((each) => concerns(each, transition));
    if (finding) return { transition, reason: finding.message, finding };
    if (to !== undefined && !own(graph.nodes, to)) return { transition, reason: `node "${to}" does not exist` };
    if (transition.kind !== "global" && !isReached(node))
      return { transition, reason: `no call reaches node "${node}"` };
    return { transition, reason: "no values of the variables and no answers of a model make a call take it" };
  });
}

function concerns({ path, code }: Finding, { kind, node, index }: GraphTransition): boolean {
  if (path[0] !== "nodes" || path[1] !== node) return false;
  if (path.length === 2) return code === "unreachable-node" || code === "island" || code === "end-with-edges";
  if (kind === "transition") return path[2] === "transitions" && path[3] === index;
  const isGlobal = path[2] === "global_node_setting";
  return isGlobal && (kind === "global" ? path.length <= 4 : path[4] === index);
}
