import type { Path } from "../../src/base/errors.ts";
import { own } from "../../src/base/values/mod.ts";
import { mapExpandedTexts, replaceSnippets } from "../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode, Transition } from "../../src/document/graph/mod.ts";
import type { Loss } from "../platform.ts";

/** A graph between passes. Every AgentGraph is one. */
export interface LoweredGraph extends AgentGraph {
  readonly nodes: { readonly [id: string]: LoweredNode };
}

/** A node with lowered transitions. */
export interface LoweredNode extends AgentNode {
  readonly transitions: readonly LoweredTransition[];
}

/** A transition with fields that an AgentGraph does not model. */
export interface LoweredTransition extends Transition {
  /** Variables that the transition sets. */
  readonly sets?: { readonly [variable: string]: string };
  /** Present if the transition goes back from a global node. */
  readonly back?: WayBack;
  /** Path of its source in the original graph. */
  readonly madeFrom?: Path;
}

/** A return from a global node to one of the nodes that lead to it. */
export interface WayBack {
  /** The id of the go-back condition. */
  readonly id: string;
  /** Variable that stores the id of the node that the call came from. */
  readonly variable: string;
  /** Id of the target; the transition is open while the variable has this value. */
  readonly origin: string;
}

/** A place where conversations of the lowered graph differ. */
export interface LoweringLoss extends Loss {
  readonly code: "nested-global-return";
}

/** Result of passes. */
export interface Lowered {
  readonly graph: LoweredGraph;
  readonly losses: readonly LoweringLoss[];
  /** Ids of merged nodes in order, by the id of the node that contains them. */
  readonly merged: ReadonlyMap<string, readonly string[]>;
}

/** A transformation that keeps the conversations of a graph, except for the reported losses. */
export interface Pass {
  readonly name: string;
  readonly run: (graph: LoweredGraph) => Partial<Lowered> & Pick<Lowered, "graph">;
}

/** Runs passes in order. */
export function lower(graph: LoweredGraph, passes: readonly Pass[]): Lowered {
  const start: Lowered = { graph, losses: [], merged: new Map() };
  return passes.reduce((before, pass) => {
    const { graph: after, losses = [], merged = [] } = pass.run(before.graph);
    return { graph: after, losses: [...before.losses, ...losses], merged: new Map([...before.merged, ...merged]) };
  }, start);
}

/** Applies a function to each node. */
export function mapLoweredNodes(graph: LoweredGraph, change: (node: LoweredNode) => LoweredNode): LoweredGraph {
  const nodes = Object.entries(graph.nodes).map(([id, node]) => [id, change(node)] as const);
  return { ...graph, nodes: Object.fromEntries(nodes) };
}

/** Replaces the graph's snippets in a text, in one pass. Unknown tags stay. */
export function expandSnippetsIn(text: string, { snippets }: Pick<AgentGraph, "snippets">): string {
  return replaceSnippets(text, (name) => own(snippets, name));
}

/** Replaces snippets in prompts, conditions and the opening, as calls do. */
export const expandSnippets: Pass = {
  name: "expand-snippets",
  run: (graph) => ({ graph: { ...mapExpandedTexts(graph, (text) => expandSnippetsIn(text, graph)), snippets: {} } }),
};
