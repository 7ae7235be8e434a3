import { type AgentNode, type Transition, waysAfterHearing, waysBack } from "../../graph/mod.ts";
import { firstTrue, type Moves, type Situation } from "./moves.ts";
import type { MoveCause, PathStep } from "./path.ts";
import { BACK, type Edge, type Place } from "./place.ts";

/**
 * After the caller has spoken at a conversation node: the first equation that is true; else what the model picks of
 * all offers; else the `else` transition.
 */
export function hearingEdges(
  { move, placeOf }: Moves,
  globals: readonly string[],
  place: Place,
  node: AgentNode,
  situation: Situation,
): readonly Edge[] {
  const { node: id } = place;
  const ways = waysAfterHearing(node);
  const back = situation.canGoBack ? waysBack(node) : { free: [], offered: [] };
  const indexOf = (transition: Transition) => node.transitions.indexOf(transition);
  const hear: PathStep = { kind: "hear", node: id };
  const free = [...ways.free, ...back.free];
  const { edges, otherwise: reads } = firstTrue(
    free.map(({ condition }) => condition),
    situation,
    (index, needed) => {
      const transition = ways.free[index];
      const leave = { steps: [hear], reads: needed, hops: 0 };
      if (!transition) return move(id, BACK, { ...leave, by: "go-back" });
      return move(id, transition.target_node_id, { ...leave, by: "equation", transition: indexOf(transition) });
    },
  );
  if (!reads) return edges;
  const stay = (steps: readonly PathStep[]): Edge => ({ steps, reads, to: placeOf(id, "walk", place) });
  const others = globals.filter((each) => each !== id);
  const hasOffers = ways.offered.length + others.length + back.offered.length > 0;
  const orElse = (steps: readonly PathStep[]): readonly Edge[] => {
    const { otherwise } = ways;
    if (!otherwise) return [];
    return [move(id, otherwise.target_node_id, { steps, reads, hops: 0, by: "else", transition: indexOf(otherwise) })];
  };
  if (!hasOffers) return [...edges, ...(ways.otherwise ? orElse([hear]) : [stay([hear])])];
  const decide = (target?: string, objectivesComplete = true): PathStep => {
    return { kind: "decide", node: id, objectivesComplete, ...(target === undefined ? {} : { target }) };
  };
  const picks = new Map<string, Edge>();
  const pick = (target: string, by: MoveCause, transition?: number) => {
    if (picks.has(target)) return;
    const leave = { steps: [hear, decide(target)], reads, hops: 0, by };
    picks.set(target, move(id, target, transition === undefined ? leave : { ...leave, transition }));
  };
  for (const transition of ways.offered) pick(transition.target_node_id, "model", indexOf(transition));
  for (const each of others) pick(each, "global");
  if (back.offered.length > 0) pick(BACK, "go-back");
  return [...edges, ...picks.values(), ...orElse([hear, decide()]), stay([hear, decide(undefined, false)])];
}
