import type { AgentGraph } from "../../../../src/graph/mod.ts";
import { isSilent, isTerminal } from "../../../lower/mod.ts";
import { nodeOf } from "../common/mod.ts";
import type { EmitContext } from "../plan/mod.ts";

/**
 * Says which transitions are left out because nobody ever speaks behind them: a call settles at a silent node from which
 * nothing leads on, and in Vapi there is no such place.
 */
export function reportDeadEnds({ source: graph, plan, losses }: EmitContext): void {
  const dead = deadEnds(graph, new Set(plan.members));
  for (const { id, node_type, transitions } of Object.values(graph.nodes)) {
    if (dead.has(id) || isTerminal({ node_type })) continue;
    for (const [index, { target_node_id: target }] of transitions.entries()) {
      if (!dead.has(target)) continue;
      losses.dropped(
        "dead-end",
        ["nodes", id, "transitions", index],
        `No node that speaks can be reached from "${target}", so the call would stay silent there`,
        "no transition: the caller stays at the node before it",
        `Add a transition from "${target}" to a node that speaks`,
      );
    }
  }
}

/** Silent nodes that are no members, behind which there are only others like them. */
function deadEnds(graph: AgentGraph, members: ReadonlySet<string>): ReadonlySet<string> {
  const sources = new Map<string, string[]>();
  const open: string[] = [];
  for (const [id, node] of Object.entries(graph.nodes)) {
    if (!isSilent(node) || members.has(id)) open.push(id);
    for (const { target_node_id: target } of node.transitions) {
      const from = sources.get(target) ?? [];
      from.push(id);
      sources.set(target, from);
    }
  }
  const alive = new Set(open);
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const source of sources.get(id) ?? []) {
      if (alive.has(source)) continue;
      alive.add(source);
      open.push(source);
    }
  return new Set(Object.keys(graph.nodes).filter((id) => nodeOf(graph, id) && !alive.has(id)));
}
