import type { AgentGraph } from "./types.ts";

/** Where the document's JSON Schema is found in the npm package; editors read it from a file's `$schema`. */
export const SCHEMA_PATH = "callweave/agent-graph.schema.json";

/**
 * The text of a `*.vt.json` file: two spaces, keys in the graph's own order, a line feed at the end.
 *
 * @param schema Where an editor finds the document's JSON Schema, for a document that names none.
 */
export function formatGraph(graph: AgentGraph, schema?: string): string {
  const named = schema === undefined || Object.hasOwn(graph, "$schema") ? graph : { $schema: schema, ...graph };
  return `${JSON.stringify(named, null, 2)}\n`;
}
