import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, omit, own as ownOf } from "../../../src/values/mod.ts";
import { bodyKeys, OWNER, ownKeys } from "../shared/mod.ts";
import { COMPONENT, componentOf } from "./component_of.ts";

/** A component node with the nodes that run for it, under their own ids again. */
export interface Fold {
  readonly id: string;
  /** Its component's place in the list of the flow. */
  readonly index: number;
  readonly part: AgentGraph;
}

/** A graph with its components taken out again. */
export interface Folded {
  readonly graph: AgentGraph;
  readonly folds: readonly Fold[];
  /** Component nodes whose parts can be entered or left in ways that no component allows: they stay as nodes. */
  readonly open: readonly string[];
}

/** Takes inlined components out of a graph: the inverse of inlining them. */
export function foldComponents(graph: AgentGraph): Folded {
  const folds: Fold[] = [];
  const open: string[] = [];
  const gone = new Set<string>();
  const changed = new Map<string, AgentNode>();
  let index: Index | undefined;
  const { components: list } = bodyKeys(graph);
  const components = Array.isArray(list) ? list.filter(isRecord) : [];
  for (const node of Object.values(graph.nodes)) {
    const { type, [COMPONENT]: component } = ownKeys(node.metadata);
    if (type !== "component" || !isRecord(component) || typeof component.exit !== "string") continue;
    const { exit } = component;
    index ??= indexOf(graph);
    const place = componentOf(node.metadata, components);
    const fold = place < 0 ? undefined : closedPart(graph, index, node, exit);
    if (!fold) {
      open.push(node.id);
      changed.set(node.id, opened(node));
      continue;
    }
    folds.push({ id: node.id, index: place, part: fold.part });
    for (const id of [...fold.members, exit]) gone.add(id);
    changed.set(node.id, { ...node, transitions: ownOf(graph.nodes, exit)?.transitions ?? [] });
  }
  if (changed.size === 0) return { graph, folds, open };
  const nodes = Object.values(graph.nodes).filter(({ id }) => !gone.has(id));
  return { graph: { ...graph, nodes: byId(nodes.map((node) => changed.get(node.id) ?? node)) }, folds, open };
}

/** What is asked of a graph for each of its component nodes. */
interface Index {
  /** By component node, the nodes that were its part when the graph was read. */
  readonly marked: ReadonlyMap<string, readonly string[]>;
  /** By node, the nodes with a transition to it. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** By node, its place in the graph. */
  readonly places: ReadonlyMap<string, number>;
}

function indexOf(graph: AgentGraph): Index {
  const marked = new Map<string, string[]>();
  const sources = new Map<string, string[]>();
  const places = new Map<string, number>();
  const add = (map: Map<string, string[]>, key: string, id: string) => {
    const ids = map.get(key);
    if (ids) ids.push(id);
    else map.set(key, [id]);
  };
  for (const node of Object.values(graph.nodes)) {
    const of = ownerOf(node);
    if (of !== undefined) add(marked, of, node.id);
    for (const { target_node_id: target } of node.transitions) add(sources, target, node.id);
    places.set(node.id, places.size);
  }
  return { marked, sources, places };
}

/** The nodes that run for a component node, when nothing but it leads in and nothing but its exit leads out. */
function closedPart(graph: AgentGraph, index: Index, node: AgentNode, exit: string) {
  if (node.node_type !== "logic") return undefined;
  const [enter, ...others] = node.transitions;
  const exitNode = ownOf(graph.nodes, exit);
  if (!enter || others.length > 0 || enter.condition.type !== "always" || exitNode?.node_type !== "logic")
    return undefined;
  const members = membersOf(graph, index, node.id, enter.target_node_id, exit);
  if (!members || graph.entry_node_id === exit) return undefined;
  for (const target of [...members, exit])
    for (const source of index.sources.get(target) ?? [])
      if (source !== node.id && !members.has(source)) return undefined;
  const part: AgentNode[] = [];
  for (const id of inOrder(members, index)) {
    const each = ownOf(graph.nodes, id);
    const inner = each && ownNode(each, node.id, exit);
    if (each && !inner) return undefined;
    if (inner) part.push(inner);
  }
  const start = innerId(ownOf(graph.nodes, enter.target_node_id), node.id);
  const ids = new Set(part.map(({ id }) => id));
  if (ids.size < part.length || start === undefined || isPlaced(exitNode)) return undefined;
  return { members, part: { ...graph, nodes: byId(part), entry_node_id: start, source_metadata: {} } };
}

/** An exit that does more than route is a node in its own right. */
function isPlaced(exit: AgentNode): boolean {
  return exit.state_prompt !== "" || exit.tools.length > 0 || Boolean(exit.global_node_setting);
}

/** What can be reached within it; `undefined` when the call could start there, or come back to the component node. */
function membersOf(
  graph: AgentGraph,
  { marked }: Index,
  id: string,
  start: string,
  exit: string,
): ReadonlySet<string> | undefined {
  const members = new Set([start, ...(marked.get(id) ?? [])]);
  for (const member of members) {
    if (member === id || member === graph.entry_node_id) return undefined;
    for (const { target_node_id: target } of ownOf(graph.nodes, member)?.transitions ?? [])
      if (target !== exit) members.add(target);
  }
  return members;
}

function inOrder(ids: Iterable<string>, { places }: Index): readonly string[] {
  return [...ids].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

/** The component node for which a node runs. */
function ownerOf(node: AgentNode): string | undefined {
  const { [COMPONENT]: component } = ownKeys(node.metadata);
  return isRecord(component) && typeof component.of === "string" ? component.of : undefined;
}

function innerId(node: AgentNode | undefined, owner: string): string | undefined {
  if (!node) return undefined;
  const prefix = `${owner}/`;
  return node.id.startsWith(prefix) ? node.id.slice(prefix.length) : node.id;
}

/** A node of a component as the component has it; `undefined` for one that leaves in a way that it cannot. */
function ownNode(node: AgentNode, owner: string, exit: string): AgentNode | undefined {
  const id = innerId(node, owner);
  if (id === undefined) return undefined;
  const leaves = node.transitions.filter(({ target_node_id: target }) => target === exit);
  if (leaves.length > 0) {
    const [only] = node.transitions;
    const plain = node.transitions.length === 1 && only?.condition.type === "always" && node.node_type === "logic";
    if (!plain || node.tools.length > 0) return undefined;
    return { ...node, id, node_type: "end", transitions: [] };
  }
  const strip = (target: string) => (target.startsWith(`${owner}/`) ? target.slice(owner.length + 1) : target);
  const transitions = node.transitions.map((each) => ({ ...each, target_node_id: strip(each.target_node_id) }));
  return { ...node, id, transitions };
}

/** A component node as a plain node that leads to what was its component. */
function opened(node: AgentNode): AgentNode {
  const own = omit(ownKeys(node.metadata), ["type", "component_id", "component_type"]);
  return { ...node, metadata: { ...node.metadata, [OWNER]: own } };
}

function byId(nodes: readonly AgentNode[]): { readonly [id: string]: AgentNode } {
  return Object.fromEntries(nodes.map((node) => [node.id, node]));
}
