import type { Path } from "../../src/errors.ts";
import type { AgentGraph, AgentNode, Transition } from "../../src/graph/mod.ts";
import type { Loss } from "../platform.ts";

/** A graph on its way to a platform. Every AgentGraph is one. */
export interface LoweredGraph extends AgentGraph {
  readonly nodes: { readonly [id: string]: LoweredNode };
}

/** A node whose transitions may say more than an AgentGraph's. */
export interface LoweredNode extends AgentNode {
  readonly transitions: readonly LoweredTransition[];
}

/** A transition, with what an AgentGraph's transition cannot hold. */
export interface LoweredTransition extends Transition {
  /** Variables that taking the transition sets. */
  readonly sets?: { readonly [variable: string]: string };
  /** Of a way back out of a global node: it is open only while the caller came from there. */
  readonly back?: WayBack;
  /** What of the original graph the transition was made from. */
  readonly madeFrom?: Path;
}

/** A way back out of a global node to one of the nodes that lead to it. */
export interface WayBack {
  /** The id of the go-back condition. */
  readonly id: string;
  /** The variable that holds where the caller came from. */
  readonly variable: string;
  /** Its value while the way is open: the id of the node that the way leads to. */
  readonly origin: string;
}

/** A place at which a lowered graph holds another conversation. */
export interface LoweringLoss extends Loss {
  readonly code: "nested-global-return";
}

/** What a pass makes of a graph. */
export interface Lowered {
  readonly graph: LoweredGraph;
  /** Where the conversation is not the same as before. */
  readonly losses: readonly LoweringLoss[];
  /** The nodes that were merged into another one, in order, by the node that stands for them. */
  readonly merged: ReadonlyMap<string, readonly string[]>;
}

/** A change of a graph that leaves the conversation the same, but for its losses. */
export interface Pass {
  readonly name: string;
  readonly run: (graph: LoweredGraph) => Partial<Lowered> & Pick<Lowered, "graph">;
}

/** Runs passes over a graph, one after the other. */
export function lower(graph: LoweredGraph, passes: readonly Pass[]): Lowered {
  const start: Lowered = { graph, losses: [], merged: new Map() };
  return passes.reduce((before, pass) => {
    const { graph: after, losses = [], merged = [] } = pass.run(before.graph);
    return { graph: after, losses: [...before.losses, ...losses], merged: new Map([...before.merged, ...merged]) };
  }, start);
}

/** A graph with each of its nodes changed by a function. */
export function mapNodes(graph: LoweredGraph, change: (node: LoweredNode) => LoweredNode): LoweredGraph {
  const nodes = Object.entries(graph.nodes).map(([id, node]) => [id, change(node)] as const);
  return { ...graph, nodes: Object.fromEntries(nodes) };
}
