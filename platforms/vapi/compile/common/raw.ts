import type { ToolDefinition } from "../../../../src/graph/mod.ts";
import { type JsonObject, recordAt } from "../../../../src/values/mod.ts";

/** Vapi's own JSON of a tool, under `metadata.vapi`; empty if it has none. */
export function rawOf(tool: ToolDefinition): JsonObject {
  return recordAt(tool.metadata ?? {}, "vapi");
}
