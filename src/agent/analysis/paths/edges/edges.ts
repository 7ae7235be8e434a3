import { own } from "../../../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  type EquationClause,
  endingOf,
  hasOutcome,
  isOverAtOnce,
  isTerminal,
  openingOf,
  speaks,
  type Transition,
  type TransitionCondition,
  waysAfterHearing,
  waysAfterWork,
  waysBack,
  workQuestion,
} from "../../../../document/graph/mod.ts";
import type { EvaluatedClause, MoveCause, PathStep } from "../path.ts";
import { BACK, type PathEdge, type PathPosition, type Read } from "../place.ts";
import type { VariableSources } from "../variables.ts";
import {
  edgeAfterSpeech,
  effectEdges,
  firstTrue,
  type Leave,
  type Moves,
  movesIn,
  replyEdges,
  responses,
  type Situation,
  speechEdges,
  toolStep,
} from "./moves.ts";

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

/**
 * After the caller has spoken at a conversation node: the first equation that is true; else what the model picks of
 * all offers; else the `else` transition.
 */
function hearingEdges(
  { move, placeOf }: Moves,
  globals: readonly string[],
  place: PathPosition,
  node: AgentNode,
  situation: Situation,
): readonly PathEdge[] {
  const { node: id } = place;
  const ways = waysAfterHearing(node);
  const back = situation.canGoBack ? waysBack(node) : { withoutModel: [], offered: [] };
  const backs = node.global_node_setting?.go_back_conditions ?? [];
  const indexOf = (transition: Transition) => node.transitions.indexOf(transition);
  const hear: PathStep = { kind: "hear", node: id };
  const free = [...ways.withoutModel, ...back.withoutModel];
  const { edges, otherwise: reads } = firstTrue(
    free.map(({ condition }) => condition),
    situation,
    (index, needed) => {
      const transition = ways.withoutModel[index];
      const leave = { steps: [hear], reads: needed, hops: 0 };
      const goBack = backs.findIndex((each) => each === back.withoutModel[index - ways.withoutModel.length]);
      if (!transition) return move(id, BACK, { ...leave, by: "go-back", goBack });
      return move(id, transition.target_node_id, { ...leave, by: "equation", transition: indexOf(transition) });
    },
  );
  if (!reads) return edges;
  const stay = (steps: readonly PathStep[]): PathEdge => ({ steps, reads, to: placeOf(id, "walk", place) });
  const others = globals.filter((each) => each !== id);
  const hasOffers = ways.offered.length + others.length + back.offered.length > 0;
  const orElse = (steps: readonly PathStep[]): readonly PathEdge[] => {
    const { otherwise } = ways;
    if (!otherwise) return [];
    return [move(id, otherwise.target_node_id, { steps, reads, hops: 0, by: "else", transition: indexOf(otherwise) })];
  };
  if (!hasOffers) return [...edges, ...(ways.otherwise ? orElse([hear]) : [stay([hear])])];
  const decide = (target?: string, objectivesComplete = true): PathStep => {
    return { kind: "decide", node: id, objectivesComplete, ...(target === undefined ? {} : { target }) };
  };
  const picks = new Map<string, PathEdge>();
  const pick = (target: string, by: MoveCause, index: Pick<Leave, "transition" | "goBack"> = {}) => {
    if (!picks.has(target))
      picks.set(target, move(id, target, { steps: [hear, decide(target)], reads, hops: 0, by, ...index }));
  };
  for (const transition of ways.offered) pick(transition.target_node_id, "model", { transition: indexOf(transition) });
  for (const each of others) pick(each, "global");
  const [firstBack] = back.offered;
  if (firstBack) pick(BACK, "go-back", { goBack: backs.indexOf(firstBack) });
  return [...edges, ...picks.values(), ...orElse([hear, decide()]), stay([hear, decide(undefined, false)])];
}

/** The work of a silent node: it extracts variables, or calls its tool. */
function workEdges(moves: Moves, place: PathPosition, node: AgentNode): readonly PathEdge[] {
  const { node: id } = place;
  const routed = (outcome?: "succeeded" | "failed"): PathPosition => ({
    ...place,
    phase: "route",
    ...(outcome ? { outcome } : {}),
  });
  if (workQuestion(node) === "extract") {
    const writes = node.variables_to_extract.map((each) => ({
      variable: each.name,
      fact: moves.sources.extracted(each),
    }));
    return [{ steps: [{ kind: "extract", node: id, values: {} }], writes, to: routed() }];
  }
  if (node.node_type !== "function") return [{ steps: [], to: routed() }];
  const [tool] = node.tools;
  if (!tool) return [{ steps: [], to: routed("failed") }];
  const asks = workQuestion(node) === "arguments";
  const ending = endingOf(tool);
  const succeeded = toolStep(id, tool, "succeeded", "node", asks);
  return [
    ending
      ? { ...moves.over(id, ending, { steps: [succeeded] }), writes: responses(moves, tool) }
      : { steps: [succeeded], writes: responses(moves, tool), to: routed("succeeded") },
    { steps: [toolStep(id, tool, "failed", "node", asks)], to: routed("failed") },
  ];
}

/** Where a silent node leads once its work is done. */
function routeEdges(
  { move, placeOf }: Moves,
  place: PathPosition,
  node: AgentNode,
  situation: Situation,
): readonly PathEdge[] {
  const { node: id, hops, outcome } = place;
  const { withoutModel: free, offered, otherwise } = waysAfterWork(node);
  const indexOf = (transition: Transition) => node.transitions.indexOf(transition);
  const onTool = (each: TransitionCondition) => outcome !== undefined && hasOutcome(each, outcome);
  const { edges, otherwise: reads } = firstTrue(
    free.map(({ condition }) => condition),
    { ...situation, truth: (each) => (each.type === "tool_call" ? onTool(each) : situation.truth(each)) },
    (index, needed) => {
      const transition = free[index];
      if (!transition) throw new TypeError("unreachable: the index is that of a condition");
      const by = transition.condition.type === "tool_call" ? "tool" : "equation";
      return move(id, transition.target_node_id, { reads: needed, hops, by, transition: indexOf(transition) });
    },
  );
  if (!reads) return edges;
  const none = (steps: readonly PathStep[]): PathEdge =>
    otherwise
      ? move(id, otherwise.target_node_id, { steps, reads, hops, by: "always", transition: indexOf(otherwise) })
      : { steps, reads, to: placeOf(id, "rest", { spoken: true }) };
  if (offered.length === 0) return [...edges, none([])];
  const decide = { kind: "decide", node: id, objectivesComplete: true } as const;
  const picks = new Map<string, PathEdge>();
  for (const transition of offered) {
    const target = transition.target_node_id;
    if (picks.has(target)) continue;
    const steps = [{ ...decide, target }];
    picks.set(target, move(id, target, { steps, reads, hops, by: "model", transition: indexOf(transition) }));
  }
  return [...edges, ...picks.values(), none([decide])];
}

/** An equation, or the outcome of a tool, that is evaluated before the model is asked. */
interface Condition {
  readonly of: EvaluatedClause["of"];
  readonly index: number;
  readonly condition: TransitionCondition;
}

/** Makes a condition of one clause, the same one each time. */
export type ClauseConditions = (clause: EquationClause) => TransitionCondition;

function clauseConditions(): ClauseConditions {
  const known = new Map<EquationClause, TransitionCondition>();
  return (clause) => {
    const found = known.get(clause);
    if (found) return found;
    const made: TransitionCondition = { type: "equation", value: "", equations: [clause] };
    known.set(clause, made);
    return made;
  };
}

/**
 * Where transitions are chosen: an edge for each clause that can be evaluated there, and for each value that it can
 * have. The edges lead nowhere; they are goals of a search.
 */
function evaluationEdges(
  place: PathPosition,
  node: AgentNode,
  situation: Situation,
  conditionOf: ClauseConditions,
): readonly PathEdge[] {
  const { node: id, phase, outcome } = place;
  const edges: PathEdge[] = [];
  const none: Read[] = [];
  const to: PathPosition = { node: id, phase: "over", hops: 0, spoken: true, match: -1 };
  const steps = phase === "rest" ? ([{ kind: "hear", node: id }] as const) : [];
  for (const { of, index, condition } of conditionsAt(place, node, situation)) {
    if (condition.type === "tool_call") {
      if (outcome !== undefined && hasOutcome(condition, outcome)) break;
      continue;
    }
    const decides = condition.logical_operator === "or";
    const before = [...none];
    for (const [clause, equation] of (condition.equations ?? []).entries()) {
      const single = conditionOf(equation);
      const known = situation.truth(single);
      for (const isTrue of known === undefined ? [true, false] : [known]) {
        const reads = known === undefined ? [...before, { condition: single, holds: isTrue }] : [...before];
        edges.push({ steps, reads, to, evaluates: { node: id, of, index, clause, isTrue } });
      }
      if (known === decides) break;
      if (known === undefined) before.push({ condition: single, holds: !decides });
    }
    const known = situation.truth(condition);
    if (known === true) break;
    if (known === undefined) none.push({ condition, holds: false });
  }
  return edges;
}

function conditionsAt({ phase }: PathPosition, node: AgentNode, { canGoBack }: Situation): readonly Condition[] {
  const { withoutModel: free } = phase === "rest" ? waysAfterHearing(node) : waysAfterWork(node);
  const backs = node.global_node_setting?.go_back_conditions ?? [];
  return [
    ...free.map((each): Condition => {
      return { of: "transition", index: node.transitions.indexOf(each), condition: each.condition };
    }),
    ...(phase === "rest" && canGoBack ? waysBack(node).withoutModel : []).map((each): Condition => {
      return { of: "go-back", index: backs.indexOf(each), condition: each.condition };
    }),
  ];
}
