import { type AgentGraph, parseGraph } from "../../../document/graph/mod.ts";

/**
 * The placeholder graph of runs imported without an agent: one node. It is the same in every run.
 */
export function unknownAgent(): AgentGraph {
  const node = { id: "call", node_type: "conversation", state_prompt: "", tools: [], transitions: [] };
  return parseGraph({
    nodes: { call: { ...node, variables_to_extract: [], metadata: {} } },
    entry_node_id: "call",
    source_type: "unknown",
    source_metadata: {},
    snippets: {},
  });
}
