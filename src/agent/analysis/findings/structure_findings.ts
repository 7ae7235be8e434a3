import { own } from "../../../base/values/mod.ts";
import type { AgentGraph, AgentNode, Finding } from "../../../document/graph/mod.ts";
import { canEndCall, cyclesOf, globalIds, listedIds, reachedIn } from "../facts/mod.ts";

/** Findings for nodes that calls never reach, or never leave. */
export function structureFindings(graph: AgentGraph): Finding[] {
  if (!Object.hasOwn(graph.nodes, graph.entry_node_id)) return []; // every node would be unreachable
  const reached = reachedIn(graph);
  return [...unreached(graph, reached), ...traps(graph, reached)];
}

/** Nodes that no call reaches; those that lead to each other are one finding. */
function unreached(graph: AgentGraph, reached: ReadonlySet<string>): readonly Finding[] {
  const ids = Object.keys(graph.nodes).filter((id) => !reached.has(id));
  const edges = new Map(ids.map((id) => [id, new Set<string>()]));
  for (const id of ids)
    for (const { target_node_id: target } of graph.nodes[id]?.transitions ?? [])
      if (target !== id && edges.has(target)) {
        edges.get(id)?.add(target);
        edges.get(target)?.add(id);
      }
  const seen = new Set<string>();
  return ids.flatMap((first): Finding[] => {
    if (seen.has(first)) return [];
    const members = new Set<string>();
    const open = [first];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (members.has(id)) continue;
      members.add(id);
      seen.add(id);
      open.push(...(edges.get(id) ?? []));
    }
    const path = ["nodes", first];
    if (members.size > 1) {
      const message = `no call reaches the nodes ${listedIds(ids.filter((id) => members.has(id)))}, which only lead to each other`;
      return [
        { code: "island", severity: "warning", path, message, hint: "Add a transition to one of them, or delete them" },
      ];
    }
    const message = `no call reaches node "${first}"`;
    const hint = "Add a transition to it, make it global, or delete it";
    return [{ code: "unreachable-node", severity: "warning", path, message, hint }];
  });
}

/** Reachable nodes with transitions that lead to no end. */
function traps(graph: AgentGraph, reached: ReadonlySet<string>): readonly Finding[] {
  const globals = globalIds(graph);
  const edges = new Map<string, string[]>();
  for (const id of reached) {
    const node = own(graph.nodes, id);
    const targets = (node?.transitions ?? []).map((transition) => transition.target_node_id);
    edges.set(
      id,
      [...new Set(targets)].filter((target) => own(graph.nodes, target)),
    );
  }
  const leads = (node: AgentNode | undefined, id: string) =>
    node !== undefined && (canEndCall(node) || goesBack(node) || (globals.length > 0 && !globals.includes(id)));
  const hasEnd = Object.values(graph.nodes).some(canEndCall); // without one, callers are to hang up
  return cyclesOf(edges).flatMap((cycle): Finding[] => {
    const members = new Set(cycle);
    if (cycle.some((id) => leads(own(graph.nodes, id), id))) return [];
    if (cycle.some((id) => edges.get(id)?.some((target) => !members.has(target)))) return [];
    if (cycle.every((id) => own(graph.nodes, id)?.node_type !== "conversation")) return []; // a silent cycle
    const [first = ""] = cycle;
    const path = ["nodes", first];
    const witness = { path: wayTo(first, graph, edges) };
    if (cycle.length === 1) {
      const message = `node "${first}" leads only to itself`;
      return [
        { code: "no-way-out", severity: "warning", path, message, hint: "Add a transition to another node", witness },
      ];
    }
    if (!hasEnd) return [];
    const message = `a call that reaches ${listedIds(cycle)} never reaches an end`;
    const hint = "Add a transition to an end node, or a tool that ends the call";
    return [{ code: "end-never-reached", severity: "warning", path, message, hint, witness }];
  });
}

function goesBack({ global_node_setting: setting }: AgentNode): boolean {
  return (setting?.go_back_conditions ?? []).length > 0;
}

/** A shortest way from the entry, or from a global node. */
function wayTo(goal: string, graph: AgentGraph, edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const before = new Map<string, string | undefined>([[graph.entry_node_id, undefined]]);
  for (const id of globalIds(graph)) if (!before.has(id)) before.set(id, undefined);
  for (const id of before.keys())
    for (const target of edges.get(id) ?? []) if (!before.has(target)) before.set(target, id);
  const path: string[] = [];
  for (let id: string | undefined = goal; id !== undefined; id = before.get(id)) path.unshift(id);
  return path;
}
