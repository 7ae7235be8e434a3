import { type AgentGraph, isRecord } from "../../src/graph/mod.ts";
import { emitTool } from "./tool.ts";

/**
 * A graph that was read from one of Vapi's formats, for the emitter of new documents: each tool with its whole JSON under
 * `metadata.vapi`, as an author would give it; what belongs to the document it came from left out.
 */
export function withRawTools(graph: AgentGraph): AgentGraph {
  const kept = graph.source_metadata.vapi;
  if (!isRecord(kept) || (kept.kind !== "squad" && kept.kind !== "assistant")) return graph;
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const tools = node.tools.map((tool) => {
      const raw = tool.metadata?.vapi;
      return isRecord(raw) && isRecord(raw.tool)
        ? { ...tool, metadata: { ...tool.metadata, vapi: emitTool(tool) } }
        : tool;
    });
    return [id, { ...node, tools }] as const;
  });
  return { ...graph, nodes: Object.fromEntries(nodes) };
}
