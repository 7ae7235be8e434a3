import { jsonText } from "../values/mod.ts";
import type { AgentGraph } from "./types.ts";

/**
 * Formats a graph as a `*.vt.json` file: two spaces of indentation, keys in their order, a final line break.
 *
 * @param schema Path of the JSON Schema for editors, if the document does not name one.
 */
export function formatGraph(graph: AgentGraph, schema?: string): string {
  const named = schema === undefined || Object.hasOwn(graph, "$schema") ? graph : { $schema: schema, ...graph };
  return jsonText(named);
}
