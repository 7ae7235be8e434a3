import type { AgentGraph, ToolDefinition } from "../../../src/graph/mod.ts";
import { isRecord, omit } from "../../../src/values/mod.ts";
import { isToolKind } from "../api/mod.ts";
import { emitTool, settingsOf } from "./tool.ts";

/** Where old definitions have a function's own keys. */
const FLAT_KEYS = ["name", "description", "parameters"];

/**
 * A graph that was read from one of Vapi's formats, for the emitter of new documents: each tool with its whole JSON under
 * `metadata.vapi`, as an author would give it; what belongs to the document it came from left out.
 */
export function withRawTools(graph: AgentGraph): AgentGraph {
  const kept = graph.source_metadata.vapi;
  if (!isRecord(kept) || (kept.kind !== "squad" && kept.kind !== "assistant")) return graph;
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const tools = node.tools.map((tool) => (settingsOf(tool) ? withRaw(tool) : tool));
    return [id, { ...node, tools }] as const;
  });
  return { ...graph, nodes: Object.fromEntries(nodes) };
}

/**
 * A tool with the JSON that it had. A kind that today's API does not have is left to the emitter, which says so; old
 * definitions have a function's keys at their top, where there are lists of fixed values now.
 */
function withRaw(tool: ToolDefinition): ToolDefinition {
  const raw = emitTool(tool);
  if (!isToolKind(raw.type)) return { ...tool, metadata: omit(tool.metadata ?? {}, ["vapi"]) };
  const isFlat = raw.type === "function" && !isRecord(raw.function);
  return { ...tool, metadata: { ...tool.metadata, vapi: isFlat ? omit(raw, FLAT_KEYS) : raw } };
}
