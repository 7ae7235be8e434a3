import { freeName, own } from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, Transition } from "../../../src/document/graph/mod.ts";

/**
 * Moves the begin message, which flows do not support, to a new first node. The node has the transitions of the entry
 * node; if none of them applies to the caller's answer, it leads to the entry node, which replies.
 *
 * @returns The graph itself if it has no begin message.
 */
export function sayBeginMessage(graph: AgentGraph): AgentGraph {
  const { begin_message: message, ...source } = graph.source_metadata;
  if (message === "" || (message && source.start_speaker === "user"))
    return { ...graph, source_metadata: { ...source, start_speaker: "user" } }; // the caller speaks first, so there is no message
  if (!message) return graph;
  const entry = own(graph.nodes, graph.entry_node_id);
  const exits = entry?.node_type === "conversation" ? entry.transitions : [];
  const copies: Transition[] = exits.map(({ metadata: _, ...transition }) => transition);
  if (!copies.some(({ condition }) => condition.type === "always"))
    copies.push({ target_node_id: graph.entry_node_id, condition: { type: "always", value: "" }, timing: "else" });
  const id = freeName("begin_message", (name) => Object.hasOwn(graph.nodes, name));
  const node: AgentNode = {
    ...{ id, node_type: "conversation", state_prompt: message, instruction_type: "static_text" },
    ...{ tools: [], transitions: copies, variables_to_extract: [], metadata: {} },
  };
  const nodes = Object.fromEntries([[id, node], ...Object.entries(graph.nodes)]);
  return { ...graph, nodes, entry_node_id: id, source_metadata: source };
}
