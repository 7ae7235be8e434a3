import { own, quotedList } from "../../../base/values/mod.ts";
import type { AgentGraph, AgentNode, Finding } from "../../../document/graph/mod.ts";
import { canEndCall, cyclesOf } from "../facts/mod.ts";

/** Findings for dead ends, and for loops in which nobody speaks. */
export function pathFindings(graph: AgentGraph): Finding[] {
  return [...deadEnds(graph), ...loops(graph)];
}

/** Dead ends, unless global nodes lead on or the agent has one conversation, which callers leave by hanging up. */
function deadEnds(graph: AgentGraph): Finding[] {
  const nodes = Object.entries(graph.nodes);
  const globals = nodes.filter(([, node]) => node.global_node_setting).length;
  return nodes.flatMap(([id, node]): Finding[] => {
    if (node.transitions.length > 0 || canEndCall(node) || goesBack(node)) return [];
    const isLeft = nodes.length === 1 || globals > (node.global_node_setting ? 1 : 0);
    if (isLeft && node.node_type === "conversation") return [];
    const message = `node "${id}" has no transition and is not an end node`;
    const hint = "Add a transition, or make it an end node";
    return [{ code: "dead-end", severity: "warning", path: ["nodes", id], message, hint }];
  });
}

function goesBack({ global_node_setting: setting }: AgentNode): boolean {
  return (setting?.go_back_conditions ?? []).length > 0;
}

/** Loops within one turn, in which a call ends after 20 transitions. */
function loops(graph: AgentGraph): Finding[] {
  const edges = new Map(Object.entries(graph.nodes).map(([id, node]) => [id, silentTargets(graph, node)]));
  const forced = new Set(Object.keys(graph.nodes).filter((id) => isForced(own(graph.nodes, id))));
  return cyclesOf(edges).map((cycle): Finding => {
    const endless = cycle.every((id) => forced.has(id));
    const around = quotedList(cycle);
    return {
      code: endless ? "endless-loop" : "silent-cycle",
      severity: endless ? "error" : "warning",
      path: ["nodes", cycle[0] ?? ""],
      message: `a call ${endless ? "loops" : "can loop"} through ${around} without anyone speaking`,
      hint: "Put a conversation node into the loop, or a transition that leaves it",
    };
  });
}

/** Targets that a call can reach without hearing the caller. */
function silentTargets(graph: AgentGraph, node: AgentNode): readonly string[] {
  if (node.node_type === "end" || node.node_type === "conversation") return [];
  return node.transitions
    .map((transition) => transition.target_node_id)
    .filter((target) => own(graph.nodes, target) && own(graph.nodes, target)?.node_type !== "conversation");
}

function isForced(node: AgentNode | undefined): boolean {
  const transitions = node?.transitions ?? [];
  return transitions.length > 0 && transitions.every(({ condition }) => condition.type === "always");
}
