import type { AgentGraph, AgentNode } from "../../../src/graph/mod.ts";

/**
 * A flow has no begin message: a node in front says it, and goes on from there as the entry node would; when nothing
 * matches what the caller said, to the entry node, which answers.
 *
 * @returns The graph itself when it has no begin message.
 */
export function sayBeginMessage(graph: AgentGraph): AgentGraph {
  const { begin_message: message, ...source } = graph.source_metadata;
  if (message === "" || (message && source.start_speaker === "user"))
    return { ...graph, source_metadata: { ...source, start_speaker: "user" } }; // the caller speaks first: nothing is said
  if (!message) return graph;
  const entry = Object.hasOwn(graph.nodes, graph.entry_node_id) ? graph.nodes[graph.entry_node_id] : undefined;
  const exits = entry?.node_type === "conversation" ? entry.transitions : [];
  const copies = exits.map(({ metadata: _, ...transition }) => transition);
  const goesOn = copies.some(({ condition }) => condition.type === "always");
  const id = freeId(graph);
  const node: AgentNode = {
    id,
    node_type: "conversation",
    state_prompt: message,
    instruction_type: "static_text",
    tools: [],
    transitions: goesOn
      ? copies
      : [...copies, { target_node_id: graph.entry_node_id, condition: { type: "always", value: "" }, timing: "else" }],
    variables_to_extract: [],
    metadata: {},
  };
  return {
    ...graph,
    nodes: Object.fromEntries([[id, node], ...Object.entries(graph.nodes)]),
    entry_node_id: id,
    source_metadata: source,
  };
}

function freeId(graph: AgentGraph): string {
  for (let count = 1; ; count++) {
    const id = count === 1 ? "begin_message" : `begin_message_${count}`;
    if (!Object.hasOwn(graph.nodes, id)) return id;
  }
}
