import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { type JsonObject, omit, own as ownOf, recordAt } from "../../../src/values/mod.ts";
import { bodyKeys, callersOf, groupBy, isText, OWNER, ownKeys, records } from "../shared/mod.ts";
import { COMPONENT, componentOf } from "./inline_components.ts";

/** A component node with the nodes of its component, under the ids that these have there. */
export interface Fold {
  readonly id: string;
  /** Index of the component in the flow's list. */
  readonly index: number;
  readonly part: AgentGraph;
}

/** A graph without the nodes of its components. */
export interface Folded {
  readonly graph: AgentGraph;
  readonly folds: readonly Fold[];
  /** Component nodes whose parts can be entered or left in ways that no component allows. They stay nodes. */
  readonly open: readonly string[];
}

/** What is looked up for each component node. */
interface Index {
  readonly graph: AgentGraph;
  /** By component node, the nodes that were imported with it. */
  readonly parts: ReadonlyMap<string, readonly AgentNode[]>;
  /** By node, the nodes with a transition to it. */
  readonly callers: ReadonlyMap<string, ReadonlySet<string>>;
  /** By node, its index in the graph. */
  readonly places: ReadonlyMap<string, number>;
}

/** Folds nodes into components again: the inverse of inlining them. */
export function foldComponents(graph: AgentGraph): Folded {
  const components = records(bodyKeys(graph).components);
  const nodes = Object.values(graph.nodes);
  const calling = nodes.filter((node) => ownKeys(node).type === "component" && isText(ofComponent(node).exit));
  if (calling.length === 0) return { graph, folds: [], open: [] };
  const index: Index = {
    graph,
    parts: groupBy(nodes, (node) => (isText(ofComponent(node).of) ? String(ofComponent(node).of) : undefined)),
    callers: callersOf(nodes),
    places: new Map(nodes.map(({ id }, place) => [id, place])),
  };
  const folds: Fold[] = [];
  const open: string[] = [];
  const gone = new Set<string>();
  const changed = new Map<string, AgentNode>();
  for (const node of calling) {
    const exit = String(ofComponent(node).exit);
    const place = componentOf(node, components);
    const members = place < 0 ? undefined : closedMembers(index, node, exit);
    const part = members && partOf(index, node, members, exit);
    if (!part) {
      open.push(node.id);
      const own = omit(ownKeys(node), ["type", "component_id", "component_type"]);
      changed.set(node.id, { ...node, metadata: { ...node.metadata, [OWNER]: own } });
      continue;
    }
    folds.push({ id: node.id, index: place, part });
    for (const id of [...members, exit]) gone.add(id);
    changed.set(node.id, { ...node, transitions: ownOf(graph.nodes, exit)?.transitions ?? [] });
  }
  const left = nodes.filter(({ id }) => !gone.has(id)).map((node) => changed.get(node.id) ?? node);
  return { graph: { ...graph, nodes: byId(left) }, folds, open };
}

/** The note that inlining leaves on a component node and on the nodes of its component. */
function ofComponent(node: AgentNode): JsonObject {
  return recordAt(ownKeys(node), COMPONENT);
}

/**
 * The nodes that run for a component node; `undefined` unless only the component node leads in and only its exit leads
 * out, and the call cannot start there.
 */
function closedMembers(
  { graph, parts, callers }: Index,
  node: AgentNode,
  exit: string,
): ReadonlySet<string> | undefined {
  const [enter, ...others] = node.transitions;
  const exitNode = ownOf(graph.nodes, exit);
  if (node.node_type !== "logic" || !enter || others.length > 0 || enter.condition.type !== "always") return undefined;
  // an exit that does more than route is a node in its own right
  if (exitNode?.node_type !== "logic" || exitNode.state_prompt !== "") return undefined;
  if (exitNode.tools.length > 0 || exitNode.global_node_setting || graph.entry_node_id === exit) return undefined;
  const members = new Set([enter.target_node_id, ...(parts.get(node.id) ?? []).map(({ id }) => id)]);
  for (const member of members) {
    if (member === node.id || member === graph.entry_node_id) return undefined;
    for (const { target_node_id: target } of ownOf(graph.nodes, member)?.transitions ?? [])
      if (target !== exit) members.add(target);
  }
  const sources = [...members, exit].flatMap((target) => [...(callers.get(target) ?? [])]);
  return sources.every((source) => source === node.id || members.has(source)) ? members : undefined;
}

/** The nodes of a component as a graph; `undefined` if the component cannot have them. */
function partOf(
  { graph, places }: Index,
  { id: owner, transitions }: AgentNode,
  members: ReadonlySet<string>,
  exit: string,
): AgentGraph | undefined {
  const inOrder = [...members].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  const nodes = inOrder.flatMap((id) => ownOf(graph.nodes, id) ?? []);
  const inner = nodes.flatMap((node) => innerNode(node, owner, exit) ?? []);
  if (inner.length < nodes.length || new Set(inner.map(({ id }) => id)).size < inner.length) return undefined;
  const start = innerId(transitions[0]?.target_node_id ?? "", owner);
  return { ...graph, nodes: byId(inner), entry_node_id: start, source_metadata: {} };
}

function innerId(id: string, owner: string): string {
  return id.startsWith(`${owner}/`) ? id.slice(owner.length + 1) : id;
}

/** A node as its component has it; `undefined` if it leads to the exit in a way that the component cannot hold. */
function innerNode(node: AgentNode, owner: string, exit: string): AgentNode | undefined {
  const id = innerId(node.id, owner);
  const [first, ...others] = node.transitions;
  if (node.transitions.every(({ target_node_id: target }) => target !== exit)) {
    const inner = node.transitions.map((each) => ({ ...each, target_node_id: innerId(each.target_node_id, owner) }));
    return { ...node, id, transitions: inner };
  }
  const isPlain = others.length === 0 && first?.condition.type === "always" && node.node_type === "logic";
  return isPlain && node.tools.length === 0 ? { ...node, id, node_type: "end", transitions: [] } : undefined;
}

function byId(nodes: readonly AgentNode[]): { readonly [id: string]: AgentNode } {
  return Object.fromEntries(nodes.map((node) => [node.id, node]));
}
