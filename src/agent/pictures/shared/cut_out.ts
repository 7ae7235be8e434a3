import { GraphError } from "../../../base/errors.ts";
import { checkOptions, didYouMean, OPTION, own, shown } from "../../../base/values/mod.ts";
import type { AgentGraph, AgentNode, Transition } from "../../../document/graph/mod.ts";

/** Default number of steps from the first node of a cut-out. */
const DEPTH = 2;

/** The part of a graph to draw. */
export interface CutOutOptions {
  /** Draws this node and what it leads to. Default: the whole graph. */
  readonly from?: string;
  /** With `from`: how many transitions away a node may be. Default: 2. */
  readonly depth?: number;
}

/** Rules of these options, for `checkOptions()`. */
export const CUT_OUT_OPTIONS = { from: OPTION.text, depth: OPTION.count };

/**
 * The nodes of a cut-out; `undefined` without `from`. Transitions count as steps, entries of global nodes and go-backs do not.
 *
 * @throws {GraphError} `unknown-node`, `invalid-option`.
 */
export function cutOut(graph: AgentGraph, options: CutOutOptions): ReadonlySet<string> | undefined {
  checkOptions(options, CUT_OUT_OPTIONS, GraphError, "Cannot draw a graph");
  const { from, depth = DEPTH } = options;
  if (from === undefined) {
    if (options.depth === undefined) return undefined;
    const hint = "Name the node to begin with: from";
    throw new GraphError("Cannot draw a graph: it has a depth and no first node", { code: "invalid-option", hint });
  }
  if (!own(graph.nodes, from)) {
    throw new GraphError(`Cannot draw a graph: there is no node ${shown(from)}`, {
      code: "unknown-node",
      hint: didYouMean(from, Object.keys(graph.nodes), "Name a node of the graph"),
    });
  }
  const found = new Set([from]);
  let last = [from];
  for (let step = 0; step < depth && last.length > 0; step++) {
    last = last.flatMap((id) => {
      const targets = own(graph.nodes, id)?.transitions.map((edge) => edge.target_node_id) ?? [];
      return targets.filter((target) => own(graph.nodes, target) && !found.has(target) && found.add(target));
    });
  }
  return found;
}

/** The transitions of a node that lead out of the drawn nodes, without those to missing nodes. */
export function leavingOf(
  node: AgentNode,
  graph: AgentGraph,
  drawn: ReadonlySet<string> | undefined,
): ReadonlySet<Transition> {
  const leaves = ({ target_node_id: id }: Transition) => drawn !== undefined && !drawn.has(id) && own(graph.nodes, id);
  return new Set(node.transitions.filter(leaves));
}

/** The label of a stub for transitions out of the drawn nodes: the target of one, or the number of several. */
export function stubWords(leaving: ReadonlySet<Transition>, labelOf: (id: string) => string): string {
  const [first] = leaving;
  return leaving.size === 1 && first ? `→ ${labelOf(first.target_node_id)}` : `→ ${leaving.size} more`;
}

/** The targets behind a stub, without duplicates. */
export function stubTargets(leaving: ReadonlySet<Transition>): readonly string[] {
  return [...new Set([...leaving].map(({ target_node_id: id }) => id))];
}
