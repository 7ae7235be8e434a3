import { own } from "../../../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  isOverAtOnce,
  isTerminal,
  openingOf,
  speaks,
} from "../../../../document/graph/mod.ts";
import type { PathStep } from "../path.ts";
import type { PathEdge, PathPosition } from "../place.ts";
import type { VariableSources } from "../variables.ts";
import { clauseConditions, evaluationEdges } from "./evaluation_edges.ts";
import { hearingEdges } from "./hearing_edges.ts";
import { type Moves, movesIn, type Situation } from "./moves.ts";
import { routeEdges, workEdges } from "./silent_edges.ts";
import { edgeAfterSpeech, effectEdges, replyEdges, speechEdges } from "./speech_edges.ts";

/** The edges of a graph. */
export interface Edges {
  readonly start: () => PathEdge;
  readonly placeOf: Moves["placeOf"];
  readonly from: (place: PathPosition, situation: Situation) => readonly PathEdge[];
}

/**
 * The rules of the engine with every possible answer: the model may pick any offer or none, a tool may succeed or fail,
 * an extraction may find any value or none. Equations with unknown values may turn out either way.
 *
 * @param hasEvaluations Adds the edges of {@link evaluationEdges}.
 */
export function edgesOf(graph: AgentGraph, sources: VariableSources, hasEvaluations: boolean): Edges {
  const globals = Object.entries(graph.nodes).flatMap(([id, node]) => (node.global_node_setting ? [id] : []));
  const moves = movesIn(graph, sources);
  const { over, placeOf } = moves;
  const conditionOf = clauseConditions();
  const evaluations = (place: PathPosition, node: AgentNode, situation: Situation) =>
    hasEvaluations ? evaluationEdges(place, node, situation, conditionOf) : [];

  return {
    placeOf,
    start: () => {
      const entry = graph.entry_node_id;
      const open: PathStep = { kind: "open", node: entry };
      const opening = openingOf(graph);
      if (opening === "node") return { steps: [open], to: placeOf(entry, "walk") };
      const begin = graph.source_metadata.begin_message ?? "";
      if (opening === "caller" || begin.trim() === "") return { steps: [open], to: placeOf(entry, "rest") };
      const steps: readonly PathStep[] = [open, { kind: "speak", node: entry, verbatim: true }];
      const node = own(graph.nodes, entry);
      const place = placeOf(entry, "walk");
      if (node?.node_type === "conversation")
        return edgeAfterSpeech(moves, place, node, steps, undefined) ?? { steps, to: placeOf(entry, "rest") };
      return { steps, to: node && isOverAtOnce(node) ? place : placeOf(entry, "rest") };
    },
    from: (place, situation) => {
      if (place.phase === "over") return [];
      const node = own(graph.nodes, place.node);
      if (!node) return [over(place.node, "failed")];
      if (place.phase === "route")
        return [...evaluations(place, node, situation), ...routeEdges(moves, place, node, situation)];
      if (place.phase === "reply") return replyEdges(moves, place, node);
      if (place.phase === "rest") {
        if (node.node_type === "conversation")
          return [...evaluations(place, node, situation), ...hearingEdges(moves, globals, place, node, situation)];
        return [{ steps: [{ kind: "hear", node: place.node }], to: { ...place, phase: "walk", hops: 0 } }];
      }
      if (node.node_type === "conversation") return speechEdges(moves, place, node);
      if (isTerminal(node)) return speaks(node) ? speechEdges(moves, place, node) : effectEdges(moves, place, node, []);
      return workEdges(moves, place, node);
    },
  };
}
