import type { AgentGraph } from "./types.ts";

/** Where the document's JSON Schema is found in the npm package; editors read it from a file's `$schema`. */
export const SCHEMA_PATH = "callweave/agent-graph.schema.json";

/** The text of a `*.vt.json` file: two spaces, keys in the graph's own order, a line feed at the end. */
export function formatGraph(graph: AgentGraph): string {
  return `${JSON.stringify(graph, null, 2)}\n`;
}
