import fc from "fast-check";
import { getAt, isRecord } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, GlobalNodeSetting, Transition } from "../../../../src/document/graph/mod.ts";
import { plain } from "./lens.ts";

/** One edit of a graph that was imported from a squad. */
export type Edit = (graph: AgentGraph) => AgentGraph;

const words = fc.constantFrom("Edited here", "Caller asks for a person", "Say hello to {{name}}");
const pick = fc.nat({ max: 50 });

/** Generates edits that a squad supports without a loss. */
export const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(pick, words).map(([at, state_prompt]) => onNode(at, (node) => ({ ...node, state_prompt }))),
  fc
    .tuple(pick, pick, words)
    .map(([at, which, value]) =>
      onTransition(at, which, (transition) => ({ ...transition, condition: { type: "llm_prompt", value } })),
    ),
  fc.tuple(pick, pick, pick).map(
    ([at, which, to]): Edit =>
      (graph) =>
        onTransition(at, which, (transition) => ({ ...transition, target_node_id: idAt(graph, to) }))(graph),
  ),
  fc.tuple(pick, pick, words).map(
    ([at, to, value]): Edit =>
      (graph) =>
        onNode(at, (node) => ({ ...node, transitions: [...node.transitions, handoff(idAt(graph, to), value)] }))(graph),
  ),
  fc.tuple(pick, pick, words).map(
    ([at, to, value]): Edit =>
      (graph) =>
        onNode(at, (node) => ({ ...node, transitions: [handoff(idAt(graph, to), value), ...node.transitions] }))(graph),
  ),
  fc.tuple(pick, pick).map(([at, which]) => onNode(at, (node) => ({ ...node, tools: without(node.tools, which) }))),
  pick.map((at) => onNode(at, (node) => ({ ...node, tools: [...node.tools].reverse() }))),
  pick.map((at) =>
    onNode(at, (node) => ({ ...node, tools: [...node.tools, { name: "look_up", description: "", type: "custom" }] })),
  ),
  fc
    .tuple(pick, pick)
    .map(([at, which]) => onNode(at, (node) => ({ ...node, transitions: without(node.transitions, which) }))),
  pick.map((at) => onNode(at, (node) => ({ ...node, transitions: [...node.transitions].reverse() }))),
  fc.tuple(pick, words).map(([at, when]) => onNode(at, (node) => ({ ...node, global_node_setting: global(when) }))),
  pick.map((at) => onNode(at, (node) => ({ ...node, global_node_setting: undefined }))),
  pick.map(
    (at): Edit =>
      (graph) =>
        withoutNode(graph, idAt(graph, at)),
  ),
  fc.tuple(pick, words).map(
    ([at, id]): Edit =>
      (graph) =>
        renamed(graph, idAt(graph, at), id),
  ),
  fc.constantFrom("", "Good morning").map((begin_message) => onSource({ begin_message, start_speaker: undefined })),
  fc.constant(onSource({ begin_message: undefined, start_speaker: "user" })),
  fc.constant(onSource({ default_dynamic_variables: { plan: "silver" } })),
);

/** Generates {@link edits}, new members, and nodes in another order. */
export const structuralEdits: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 8, arbitrary: edits },
  {
    weight: 1,
    arbitrary: fc.constant(
      (graph: AgentGraph): AgentGraph => ({
        ...graph,
        nodes: Object.fromEntries(Object.entries(graph.nodes).reverse()),
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(pick, words, fc.constantFrom("Fees", "Night desk")).map(
      ([at, value, id]): Edit =>
        (graph) =>
          withMember(graph, idAt(graph, at), id, value),
    ),
  },
);

/**
 * Removes the parts of a graph that may differ after importing: the format's own metadata, handoffs to assistants
 * outside of the document (they become tools when no other destination is left), and ends without a transition to them.
 */
export function modelled(graph: AgentGraph): unknown {
  const { vapi: _, original: _original, ...source } = graph.source_metadata;
  const targets = new Set(
    Object.values(graph.nodes).flatMap((node) => node.transitions.map((to) => to.target_node_id)),
  );
  const held = Object.entries(graph.nodes).filter(
    ([id, { node_type }]) => node_type === "conversation" || targets.has(id),
  );
  const nodes = held.map(([id, node]) => [
    id,
    {
      ...node,
      metadata: {},
      tools: node.tools.filter(({ type }) => type !== "handoff").map((tool) => ({ ...tool, metadata: {} })),
      transitions: waysToEndsLast(node.transitions, graph).map((transition) => ({ ...transition, metadata: {} })),
      global_node_setting: node.global_node_setting && { ...node.global_node_setting, metadata: {} },
    },
  ]);
  return plain({ ...graph, nodes: Object.fromEntries(nodes), source_metadata: source });
}

/** Moves transitions to ends behind all others, as the importer does. */
function waysToEndsLast(transitions: readonly Transition[], graph: AgentGraph): readonly Transition[] {
  const isEnd = ({ target_node_id: target }: Transition) => graph.nodes[target]?.node_type !== "conversation";
  const ends = transitions.filter(isEnd);
  // the JSON of a transferCall to an assistant outside of the document looks like a handoff
  const isOdd = ends.some(({ target_node_id: target }) => {
    const destinations = getAt(graph.nodes[target]?.metadata, ["vapi", "tool", "destinations"]);
    const list: readonly unknown[] = Array.isArray(destinations) ? destinations : [];
    return list.some((item) => isRecord(item) && (item.type ?? "assistant") === "assistant");
  });
  const sorted = ends.toSorted((a, b) => (a.target_node_id < b.target_node_id ? -1 : 1));
  return [...transitions.filter((item) => !isEnd(item)), ...(isOdd ? sorted : ends)];
}

function idAt(graph: AgentGraph, at: number): string {
  const ids = Object.keys(graph.nodes).filter((id) => graph.nodes[id]?.node_type === "conversation");
  return ids[at % ids.length] ?? graph.entry_node_id;
}

function onNode(at: number, change: (node: AgentNode) => AgentNode): Edit {
  return (graph) => {
    const id = idAt(graph, at);
    const nodes = Object.entries(graph.nodes).map(([key, node]) => [key, key === id ? change(node) : node]);
    return { ...graph, nodes: Object.fromEntries(nodes) };
  };
}

function onTransition(at: number, which: number, change: (transition: Transition) => Transition): Edit {
  return onNode(at, (node) => ({
    ...node,
    transitions: node.transitions.map((transition, index) =>
      index === which % node.transitions.length ? change(transition) : transition,
    ),
  }));
}

function onSource(change: AgentGraph["source_metadata"]): Edit {
  return (graph) => ({ ...graph, source_metadata: { ...graph.source_metadata, ...change } });
}

function handoff(target: string, value: string): Transition {
  return { target_node_id: target, condition: { type: "llm_prompt", value } };
}

function global(condition: string): GlobalNodeSetting {
  return { condition, go_back_conditions: [] };
}

/** Adds a conversation node with transitions from and to another node. */
function withMember(graph: AgentGraph, from: string, id: string, value: string): AgentGraph {
  const node = graph.nodes[from];
  if (!node || Object.hasOwn(graph.nodes, id)) return graph;
  const leading = { ...node, transitions: [...node.transitions, handoff(id, value)] };
  const lists = { tools: [], transitions: [handoff(from, "Caller is done")], variables_to_extract: [], metadata: {} };
  const added: AgentNode = { id, node_type: "conversation", state_prompt: value, ...lists };
  const nodes = Object.entries(graph.nodes).map(([key, each]) => [key, key === from ? leading : each]);
  return { ...graph, nodes: Object.fromEntries([...nodes, [id, added]]) };
}

/** Removes a node and the transitions to it, unless it is the entry node. */
function withoutNode(graph: AgentGraph, id: string): AgentGraph {
  if (id === graph.entry_node_id) return graph;
  const nodes = Object.entries(graph.nodes).filter(([key]) => key !== id);
  const kept = nodes.map(([key, node]) => {
    return [key, { ...node, transitions: node.transitions.filter((to) => to.target_node_id !== id) }];
  });
  return { ...graph, nodes: Object.fromEntries(kept) };
}

/** Renames a node and all references to it. */
function renamed(graph: AgentGraph, from: string, to: string): AgentGraph {
  if (Object.hasOwn(graph.nodes, to)) return graph;
  const idOf = (id: string) => (id === from ? to : id);
  const nodes = Object.values(graph.nodes).map((node) => {
    const transitions = node.transitions.map((item) => ({ ...item, target_node_id: idOf(item.target_node_id) }));
    return [idOf(node.id), { ...node, id: idOf(node.id), transitions }];
  });
  return { ...graph, nodes: Object.fromEntries(nodes), entry_node_id: idOf(graph.entry_node_id) };
}

function without<Item>(items: readonly Item[], which: number): readonly Item[] {
  return items.filter((_, index) => index !== which % items.length);
}
