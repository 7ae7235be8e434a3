import { jsonText } from "../../base/values/mod.ts";
import type { AgentGraph } from "./types.ts";

/**
 * Formats a graph as a `*.callweave.json` file: two spaces of indentation, keys in their order, a final line break.
 *
 * @param schema Path of the JSON Schema for editors, if the document does not name one.
 */
export function formatGraph(graph: AgentGraph, schema?: string): string {
  const named = schema === undefined || Object.hasOwn(graph, "$schema") ? graph : { $schema: schema, ...graph };
  return jsonText(named);
}

/** Says whether a path names a graph's own document: `*.callweave.json`, or `*.vt.json`, as other tools call it. */
export function isGraphFile(path: string): boolean {
  return /\.(?:callweave|vt)\.json$/.test(path);
}
