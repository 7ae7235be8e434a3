import { type AgentNode, type Transition, waysAfterHearing, waysBack } from "../../../../document/graph/mod.ts";
import type { MoveCause, PathStep } from "../path.ts";
import { BACK, type PathEdge, type PathPosition } from "../place.ts";
import { firstTrue, type Leave, type Moves, type Situation } from "./moves.ts";

/**
 * After the caller has spoken at a conversation node: the first equation that is true; else what the model picks of
 * all offers; else the `else` transition.
 */
export function hearingEdges(
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
