import { isRecord, omit } from "../../../src/base/values/mod.ts";
import type { AgentGraph, ToolDefinition } from "../../../src/document/graph/mod.ts";
import { isToolKind } from "../api/mod.ts";
import { emitTool, settingsOf } from "./tool.ts";

/** Keys of a function, which old definitions have at the top level. */
const FLAT_KEYS = ["name", "description", "parameters"];

/**
 * Prepares an imported graph for the emitter of new documents: sets the whole JSON of tools under `metadata.vapi`,
 * where authors set it.
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
 * Sets the JSON of a tool, except for kinds that the API no longer has. The function keys at the top level of old
 * definitions are removed, because the API no longer accepts them there.
 */
function withRaw(tool: ToolDefinition): ToolDefinition {
  const raw = emitTool(tool);
  if (!isToolKind(raw.type)) return { ...tool, metadata: omit(tool.metadata ?? {}, ["vapi"]) };
  const isFlat = raw.type === "function" && !isRecord(raw.function);
  return { ...tool, metadata: { ...tool.metadata, vapi: isFlat ? omit(raw, FLAT_KEYS) : raw } };
}
