import { freeName, type JsonObject, omit, own, recordAt, records, sameJson } from "../../../src/base/values/mod.ts";
import { type AgentGraph, type AgentNode, callersOf } from "../../../src/document/graph/mod.ts";
import { bodyKeys, isString, keep, OWNER, ownKeys } from "../shared/mod.ts";
import { type ReadBody, readFlowBody } from "./read_body.ts";

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
      nodes.set(node.id, { ...node, transitions: own(graph.nodes, exit)?.transitions ?? [] });
    } else {
      open.push(node.id);
      const settings = omit(ownKeys(node), ["type", "component_id", "component_type"]);
      nodes.set(node.id, { ...node, metadata: { ...node.metadata, [OWNER]: settings } });
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
  const exitNode = own(graph.nodes, exit);
  if (type !== "logic" || !enter || others.length > 0 || enter.condition.type !== "always") return [];
  // an exit that was edited to do more than route stays a node
  if (exitNode?.node_type !== "logic" || exitNode.state_prompt !== "") return [];
  if (exitNode.tools.length > 0 || exitNode.global_node_setting || graph.entry_node_id === exit) return [];
  const nodes = Object.values(graph.nodes);
  const imported = nodes.filter((node) => noteOf(node).of === owner).map(({ id }) => id);
  const members = new Set([enter.target_node_id, ...imported]);
  for (const member of members) {
    if (member === owner || member === graph.entry_node_id) return [];
    for (const { target_node_id: target } of own(graph.nodes, member)?.transitions ?? [])
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

/** Key of `metadata.retell`: `of` is the component node of an inlined node, `exit` the exit of a component node. */
export const COMPONENT_KEY = "component";

type Nodes = readonly (readonly [id: string, node: JsonObject])[];

/** Returns the index of a node's local component, or -1. Exports refer to it by id, the SDK's types by name. */
function componentOf(node: object, components: readonly JsonObject[]): number {
  const { type, component_id: id, component_type: kind } = ownKeys(node);
  if (type !== "component" || kind === "shared" || typeof id !== "string") return -1;
  const byId = components.findIndex((each) => each.conversation_flow_component_id === id);
  if (byId >= 0) return byId;
  return components.findIndex((each) => !each.conversation_flow_component_id && each.name === id);
}

/**
 * Inlines the nodes of local components. The component node `book` leads to the component's start, such as `book/ask`;
 * the component's end nodes lead to `book/exit`, which has the component node's edges. A component that is defined
 * elsewhere, or that cannot be read, is skipped in calls.
 *
 * @returns All nodes, and the flow's list of components, without the nodes of inlined ones.
 */
export function inlineComponents(nodes: Nodes, list: unknown) {
  const components = records(list);
  const taken = new Set(nodes.map(([id]) => id));
  const parts = new Map<number, ReadBody>();
  const all = nodes.flatMap(([id, node]) => {
    const index = componentOf(node, components);
    const component = components[index];
    const part = parts.get(index) ?? (component ? readFlowBody(component) : undefined);
    if (!part || "state" in part || part.nodes.some(([, inner]) => isBusyEnd(inner))) return [[id, node] as const];
    const inner = part.nodes.map(([innerId]) => `${id}/${innerId}`);
    const exit = freeName(`${id}/exit`, (name) => taken.has(name) || inner.includes(name));
    if (inner.some((innerId) => taken.has(innerId))) return [[id, node] as const];
    for (const each of [...inner, exit]) taken.add(each);
    parts.set(index, part);
    return inlineOne(id, node, part, exit);
  });
  const left = components.map((component, index) => parts.get(index)?.own ?? component);
  return { nodes: all, components: left.length > 0 ? { components: left } : {} };
}

function isBusyEnd({ node_type: type, transitions }: JsonObject): boolean {
  return type === "end" && records(transitions).length > 0;
}

function inlineOne(id: string, node: JsonObject, part: ReadBody, exit: string): Nodes {
  const lead = (target: string) => [{ target_node_id: target, condition: { type: "always", value: "" } }];
  const mark = (each: JsonObject, note: JsonObject) => keep({ ...ownKeys(each), [COMPONENT_KEY]: note });
  const inner = part.nodes.map(([innerId, each]) => {
    const moved = { ...each, id: `${id}/${innerId}`, metadata: mark(each, { of: id }) };
    if (each.node_type === "end" && ownKeys(each).type === undefined)
      return [moved.id, { ...moved, node_type: "logic", transitions: lead(exit) }] as const;
    const transitions = records(each.transitions).map((edge) => ({
      ...edge,
      target_node_id: `${id}/${String(edge.target_node_id)}`,
    }));
    return [moved.id, { ...moved, transitions }] as const;
  });
  const enter = { ...node, transitions: lead(`${id}/${part.entry}`), metadata: mark(node, { exit }) };
  return [[id, enter], ...inner, [exit, { id: exit, node_type: "logic", transitions: node.transitions }]];
}
