import { own, quotedList, sameJson } from "../../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  type Finding,
  MOST_HOPS,
  type ToolDefinition,
} from "../../../document/graph/mod.ts";
import { canEndCall, cyclesOf, globalIds, listedIds, reachedIn, type TurnBound, turnBounds } from "../facts/mod.ts";

/** Findings for what a node lacks for its type, and for tools of one name. */
export function nodeFindings(graph: AgentGraph): Finding[] {
  const nodes = Object.entries(graph.nodes);
  return [
    ...nodes.flatMap(([id, node]) => [...typeFindings(id, node), ...repeatedTools(id, node)]),
    ...conflicts(nodes),
  ];
}

function typeFindings(id: string, node: AgentNode): Finding[] {
  const path = ["nodes", id];
  const found = (severity: Finding["severity"], code: string, state: string, hint: string): Finding[] => [
    { code, severity, path, message: `${node.node_type} node "${id}" ${state}`, hint },
  ];
  const { node_type: type, transitions, tools, variables_to_extract: variables } = node;
  if (type === "function" && tools.length === 0) {
    return found("error", "function-without-tool", "has no tool to call", "Give it a tool");
  }
  if (type === "extract" && variables.length === 0) {
    return found("warning", "nothing-to-extract", "fills no variable", "Name the variables that it fills");
  }
  if (type === "end" && transitions.length > 0) {
    return found("warning", "end-with-edges", "has transitions that no call takes", "Remove them");
  }
  return [];
}

function repeatedTools(id: string, { tools }: AgentNode): Finding[] {
  return tools.flatMap(({ name }, index): Finding[] => {
    if (tools.findIndex((other) => other.name === name) === index) return [];
    const message = `node "${id}" has tool "${name}" twice`;
    const path = ["nodes", id, "tools", index];
    return [{ code: "duplicate-tool", severity: "error", path, message, hint: "Give each tool its own name" }];
  });
}

/** Findings for different tools of one name: mocks and implementations are found by name. */
function conflicts(nodes: readonly (readonly [string, AgentNode])[]): Finding[] {
  const first = new Map<string, ToolDefinition>();
  return nodes.flatMap(([id, { tools }]) =>
    tools.flatMap((tool, index): Finding[] => {
      const known = first.get(tool.name);
      if (!known) first.set(tool.name, tool);
      if (!known || (sameJson(known.parameters ?? null, tool.parameters ?? null) && known.url === tool.url)) return [];
      const message = `tool "${tool.name}" of node "${id}" differs from another tool with the same name`;
      const path = ["nodes", id, "tools", index];
      return [{ code: "conflicting-tools", severity: "warning", path, message, hint: "Give each tool its own name" }];
    }),
  );
}

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
    node !== undefined && (canEndCall(node) || isWayBack(node) || (globals.length > 0 && !globals.includes(id)));
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

function isWayBack({ global_node_setting: setting }: AgentNode): boolean {
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
