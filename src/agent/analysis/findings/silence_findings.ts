import { type AgentGraph, type Finding, MOST_HOPS } from "../../../document/graph/mod.ts";
import { type TurnBound, turnBounds } from "../facts/mod.ts";

/** More model calls than this before the caller hears a word are seconds of silence. */
const MOST_CALLS = 6;

/** Findings for turns that can take too many transitions or model calls. Silent cycles have findings of their own. */
export function silenceFindings(graph: AgentGraph): Finding[] {
  const bounds = [...turnBounds(graph)].filter(([, { hops }]) => Number.isFinite(hops));
  return [...longTurns(bounds, graph), ...manyCalls(bounds, graph)];
}

type Bounds = readonly (readonly [string, TurnBound])[];

/** One finding for each way: nodes in the middle of a longer way are left out. */
function longTurns(bounds: Bounds, graph: AgentGraph): readonly Finding[] {
  const long = bounds.filter(([, { hops }]) => hops > MOST_HOPS);
  return starts(long, graph).map(([id, { hops, path }]) => ({
    code: "hop-limit",
    severity: "warning",
    path: ["nodes", id],
    message: `a turn at node "${id}" can take ${hops} transitions, and a call ends after ${MOST_HOPS}`,
    hint: "Put a conversation node into the chain of silent nodes",
    witness: { path },
  }));
}

function manyCalls(bounds: Bounds, graph: AgentGraph): readonly Finding[] {
  const many = bounds.filter(([, { modelCalls, hops }]) => modelCalls.split > MOST_CALLS && hops <= MOST_HOPS);
  return starts(many, graph).map(
    ([
      id,
      {
        modelCalls: { split, speculative, fused },
        path,
      },
    ]) => ({
      code: "many-model-calls",
      severity: "info",
      path: ["nodes", id],
      message: `a turn at node "${id}" can make ${split} model calls one after the other (${speculative} in speculative turns, ${fused} in fused ones)`,
      hint: "Extract several variables in one node, or choose by equations",
      witness: { path },
    }),
  );
}

/** One node for each chain of silent nodes: a chain behind a global node can be entered from everywhere. */
function starts(bounds: Bounds, graph: AgentGraph): Bounds {
  const conversations = bounds.filter(([id]) => graph.nodes[id]?.node_type === "conversation");
  const first = conversations.length > 0 ? conversations : bounds;
  const inner = new Set(first.flatMap(([, { path }]) => path.slice(1)));
  const outer = first.filter(([id]) => !inner.has(id));
  const chains = new Map(
    (outer.length > 0 ? outer : first).map((bound) => [bound[1].path[1] ?? bound[0], bound] as const),
  );
  return [...chains.values()];
}
