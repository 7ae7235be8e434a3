import { own } from "../../../base/values/mod.ts";
import type { AgentGraph, GoBackCondition } from "../../../document/graph/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";
import type { CallPath } from "../paths/mod.ts";
import { graphTransitionKey } from "./graph_transitions.ts";
import { deducedWays, type MoveRecord, recordedWays } from "./record_ways.ts";

export type TransitionKeys = ReadonlySet<string>;

/** The fields of a call that show which transitions it took. */
export interface TakenPath {
  readonly nodesVisited: readonly string[];
  readonly transcript?: readonly Pick<Message, "node_id" | "metadata">[];
}

/** The transitions that a path takes. */
export function keysOfPath(graph: AgentGraph, { steps }: CallPath): TransitionKeys {
  return new Set(
    steps.flatMap((step) => {
      if (step.kind !== "move") return [];
      const { from, to, by, transition, goBack } = step;
      if (by === "global") return [graphTransitionKey({ kind: "global", node: to, index: 0 })];
      if (by === "model") return keysTo(graph, from, to, "llm_prompt");
      if (transition !== undefined) return [transitionKey(from, transition)];
      const isOffered = goBack !== undefined && backsOf(graph, from)[goBack]?.condition.type === "llm_prompt";
      return isOffered || goBack === undefined ? goBackKeys(graph, from, "llm_prompt") : [goBackKey(from, goBack)];
    }),
  );
}

/**
 * The transitions that a call took, by the records in its transcript; without a transcript, by the nodes that it
 * visited.
 */
export function keysOfCall(graph: AgentGraph, { nodesVisited, transcript }: TakenPath): TransitionKeys {
  const records = (transcript ?? []).filter(({ metadata }) => metadata.kind === "transition");
  return records.length > 0
    ? new Set(records.flatMap((record) => keysOfRecord(graph, record)))
    : keysOfVisits(graph, nodesVisited);
}

/**
 * The transitions between nodes that are visited one after the other. Every transition between two nodes counts,
 * because the nodes do not show which of them it was.
 */
export function keysOfVisits(graph: AgentGraph, visited: readonly string[]): TransitionKeys {
  return new Set(
    visited.slice(1).flatMap((to, index) => {
      const from = visited[index] ?? "";
      const node = own(graph.nodes, from);
      const isEntered = node?.node_type === "conversation" && own(graph.nodes, to)?.global_node_setting;
      return [
        ...keysTo(graph, from, to),
        ...(isEntered ? [graphTransitionKey({ kind: "global", node: to, index: 0 })] : []),
        ...(visited.slice(0, index).includes(to) ? goBackKeys(graph, from) : []),
      ];
    }),
  );
}

function keysOfRecord(graph: AgentGraph, record: MoveRecord): readonly string[] {
  const { node_id: from, metadata } = record;
  return (recordedWays(record) ?? deducedWays(graph, record)).map((way) => {
    if ("transition" in way) return transitionKey(from, way.transition);
    return "go_back" in way
      ? goBackKey(from, way.go_back)
      : graphTransitionKey({ kind: "global", node: String(metadata.to), index: 0 });
  });
}

function keysTo(graph: AgentGraph, from: string, to: string, type?: string): readonly string[] {
  return [...(own(graph.nodes, from)?.transitions ?? []).entries()].flatMap(([index, transition]) => {
    if (transition.target_node_id !== to || (type !== undefined && transition.condition.type !== type)) return [];
    return [transitionKey(from, index)];
  });
}

function goBackKeys(graph: AgentGraph, from: string, type?: string): readonly string[] {
  return [...backsOf(graph, from).entries()].flatMap(([index, { condition }]) =>
    type === undefined || condition.type === type ? [goBackKey(from, index)] : [],
  );
}

function backsOf({ nodes }: AgentGraph, id: string): readonly GoBackCondition[] {
  return own(nodes, id)?.global_node_setting?.go_back_conditions ?? [];
}

function goBackKey(node: string, index: number): string {
  return graphTransitionKey({ kind: "go-back", node, index });
}

function transitionKey(node: string, index: number): string {
  return graphTransitionKey({ kind: "transition", node, index });
}
