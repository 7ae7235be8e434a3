import { own } from "../../../base/values/mod.ts";
import type { AgentGraph, Finding } from "../../../document/graph/mod.ts";
import { checkGraph } from "../findings/mod.ts";
import type { GraphTransition } from "./graph_transitions.ts";

/** A transition that no call takes. */
export interface UnreachableTransition {
  readonly transition: GraphTransition;
  readonly reason: string;
  /** What `check` reports about it; absent where no finding is about this transition. */
  readonly finding?: Finding;
}

/** Findings that explain why a transition is never taken, the strongest reason first. */
const EXPLAINS: readonly string[] = [
  ...["unknown-target", "unreachable-node", "island", "end-with-edges", "function-without-tool"],
  ...["equation-mismatch", "unknown-choice", "right-names-variable", "never-true", "unreadable-number"],
  ...["shadowed-transition", "endless-loop", "undeclared-variable", "unset-variable", "unknown-variable"],
];

/** Explains transitions that no path takes, with the findings of `check`. */
export function explainUnreachable(
  graph: AgentGraph,
  transitions: readonly GraphTransition[],
  isReached: (node: string) => boolean,
): readonly UnreachableTransition[] {
  if (transitions.length === 0) return [];
  const findings = checkGraph(graph)
    .filter(({ code }) => EXPLAINS.includes(code))
    .sort((a, b) => EXPLAINS.indexOf(a.code) - EXPLAINS.indexOf(b.code));
  return transitions.map((transition) => {
    const { kind, node, to } = transition;
    const isLeft = kind === "global" || isReached(node);
    const finding = findings.find((each) => (isLeft ? isAbout(each, transition) : isAboutNode(each, node)));
    if (finding) return { transition, reason: finding.message, finding };
    if (!isLeft) return { transition, reason: `no call reaches node "${node}"` };
    if (to !== undefined && !own(graph.nodes, to)) return { transition, reason: `node "${to}" does not exist` };
    if (kind === "global")
      return {
        transition,
        reason: "every node that offers it has its own transition to the same node, or no call reaches such a node",
      };
    return { transition, reason: "no values of the variables and no answers of a model make a call take it" };
  });
}

function isAboutNode({ path }: Finding, node: string): boolean {
  return path.length === 2 && path[0] === "nodes" && path[1] === node;
}

function isAbout(finding: Finding, { kind, node, index }: GraphTransition): boolean {
  const { path, code } = finding;
  if (isAboutNode(finding, node)) return code === "end-with-edges" || code === "function-without-tool";
  if (path[0] !== "nodes" || path[1] !== node) return false;
  if (kind === "transition") return path[2] === "transitions" && path[3] === index;
  const isGlobal = path[2] === "global_node_setting";
  return isGlobal && (kind === "global" ? path.length <= 4 : path[4] === index);
}
