import {
  freeName,
  type JsonObject,
  omit,
  own as ownOf,
  recordAt,
  records,
  sameJson,
} from "../../../src/base/values/mod.ts";
import { type AgentGraph, type AgentNode, callersOf } from "../../../src/document/graph/mod.ts";
import { bodyKeys, isString, OWNER, ownKeys } from "../shared/mod.ts";
import { COMPONENT_KEY, componentOf } from "./inline_components.ts";

/** A component node with the nodes of its component, under their ids in the component. */
export interface Fold {
  readonly id: string;
  /** Index of the component in the flow's list. */
  readonly index: number;
  readonly part: AgentGraph;
}

/** A graph with its components folded. */
export interface Folded {
  readonly graph: AgentGraph;
  readonly folds: readonly Fold[];
  /** Component nodes with transitions that components do not support. Their nodes stay in the flow. */
  readonly open: readonly string[];
}

/** Folds inlined nodes into components again. */
export function foldComponents(graph: AgentGraph): Folded {
  const components = records(bodyKeys(graph).components);
  const callers = callersOf(Object.values(graph.nodes));
  const folds: Fold[] = [];
  const open: string[] = [];
  const nodes = new Map(Object.entries(graph.nodes));
  for (const node of Object.values(graph.nodes)) {
    const { exit } = noteOf(node);
    if (ownKeys(node).type !== "component" || !isString(exit) || !nodes.has(node.id)) continue;
    const index = componentOf(node, components);
    const members = index < 0 ? [] : closedMembers(graph, node, exit, callers);
    const part = partOf(graph, node, members, exit);
    if (part) {
      folds.push({ id: node.id, index, part });
      for (const id of [...members.map((member) => member.id), exit]) nodes.delete(id);
      nodes.set(node.id, { ...node, transitions: ownOf(graph.nodes, exit)?.transitions ?? [] });
    } else {
      open.push(node.id);
      const own = omit(ownKeys(node), ["type", "component_id", "component_type"]);
      nodes.set(node.id, { ...node, metadata: { ...node.metadata, [OWNER]: own } });
    }
  }
  return { graph: { ...graph, nodes: Object.fromEntries(nodes) }, folds, open };
}

/** Reads the metadata that inlining adds to a component node and to the nodes of its component. */
function noteOf(node: AgentNode) {
  return recordAt(ownKeys(node), COMPONENT_KEY);
}

/**
 * Returns the nodes of a component node's component. Empty if another transition leads in or out, or calls start there.
 */
function closedMembers(
  graph: AgentGraph,
  { id: owner, node_type: type, transitions: [enter, ...others] }: AgentNode,
  exit: string,
  callers: ReadonlyMap<string, ReadonlySet<string>>,
): readonly AgentNode[] {
  const exitNode = ownOf(graph.nodes, exit);
  if (type !== "logic" || !enter || others.length > 0 || enter.condition.type !== "always") return [];
  // an exit that was edited to do more than route stays a node
  if (exitNode?.node_type !== "logic" || exitNode.state_prompt !== "") return [];
  if (exitNode.tools.length > 0 || exitNode.global_node_setting || graph.entry_node_id === exit) return [];
  const nodes = Object.values(graph.nodes);
  const imported = nodes.filter((node) => noteOf(node).of === owner).map(({ id }) => id);
  const members = new Set([enter.target_node_id, ...imported]);
  for (const member of members) {
    if (member === owner || member === graph.entry_node_id) return [];
    for (const { target_node_id: target } of ownOf(graph.nodes, member)?.transitions ?? [])
      if (target !== exit) members.add(target);
  }
  const sources = [...members, exit].flatMap((target) => [...(callers.get(target) ?? [])]);
  const isClosed = sources.every((source) => source === owner || members.has(source));
  return isClosed ? nodes.filter(({ id }) => members.has(id)) : [];
}

/** Returns the nodes of a component as a graph; `undefined` if there are none, or components do not support them. */
function partOf(
  graph: AgentGraph,
  { id: owner, transitions: [enter] }: AgentNode,
  members: readonly AgentNode[],
  exit: string,
): AgentGraph | undefined {
  const inner = members.flatMap((node) => innerNode(node, owner, exit) ?? []);
  const nodes = Object.fromEntries(inner.map((node) => [node.id, node]));
  if (!enter || inner.length === 0 || Object.keys(nodes).length < members.length) return undefined;
  return { ...graph, nodes, entry_node_id: innerId(enter.target_node_id, owner), source_metadata: {} };
}

function innerId(id: string, owner: string): string {
  return id.startsWith(`${owner}/`) ? id.slice(owner.length + 1) : id;
}

/** Converts a node to a node of its component; `undefined` if the component does not support its way to the exit. */
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

/** The emitted component of a component node. */
export interface WrittenRun {
  /** Id of the component node. */
  readonly id: string;
  /** Index of the component in the flow's list. */
  readonly index: number;
  readonly body: JsonObject;
  readonly isAsImported: boolean;
}

/**
 * Writes local components into the flow's list, and removes those that no node uses any more. If component nodes of one
 * component now differ, an unedited one keeps the component, and the others get copies.
 *
 * @returns The components, and the new references of component nodes that run a copy, by their ids.
 */
export function writeComponents(all: readonly JsonObject[], runs: readonly WrittenRun[]) {
  const idOf = (component: JsonObject) => component.conversation_flow_component_id ?? component.name;
  const taken = new Set(all.map(idOf));
  const renamed = new Map<unknown, { readonly component_id: string }>();
  const copies: JsonObject[] = [];
  const components = all.flatMap((component, index) => {
    if (Object.hasOwn(component, "nodes")) return [component]; // was not inlined
    const mine = runs.filter((run) => run.index === index);
    const keeper = mine.find(({ isAsImported }) => isAsImported) ?? mine[0];
    for (const { id, body } of mine) {
      if (sameJson(body, keeper?.body)) continue;
      const copyId = freeName(String(idOf(body)), (each) => taken.has(each));
      taken.add(copyId);
      copies.push({ ...body, conversation_flow_component_id: copyId });
      renamed.set(id, { component_id: copyId });
    }
    return keeper ? [keeper.body] : [];
  });
  return { components: [...components, ...copies], renamed };
}
