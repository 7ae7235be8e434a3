import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import type { RequestWriter } from "../../facts.ts";
import { carriedRequest, requestSettings } from "../../known/mod.ts";
import { OWNER, ownKeys } from "./keep.ts";

/** @see https://docs.retellai.com/api-references/create-retell-llm (field `general_tools.method`) */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** @see https://docs.retellai.com/api-references/create-retell-llm (field `general_tools.timeout_ms`) */
const [LEAST_MS, MOST_MS] = [1_000, 600_000];

/** How a custom tool of Retell has the parts of a request. */
export const RETELL_REQUEST: RequestWriter = {
  method: (method) => (METHODS.includes(method) ? { method } : undefined),
  timeoutMs: (timeout) => (timeout >= LEAST_MS && timeout <= MOST_MS ? { timeout_ms: timeout } : undefined),
  headers: (headers) => ({ headers }),
};

/** Puts the requests of other platforms' tools into Retell's settings of the tools. Retell's own take precedence. */
export function withRequests(graph: AgentGraph): AgentGraph {
  const nodes = Object.entries(graph.nodes).map(([id, node]) => {
    const tools = node.tools.map((tool) => {
      const parts = carriedRequest(tool, OWNER, RETELL_REQUEST);
      if (parts.length === 0) return tool;
      return { ...tool, metadata: { ...tool.metadata, [OWNER]: { ...requestSettings(parts), ...ownKeys(tool) } } };
    });
    return [id, { ...node, tools }] as const;
  });
  return { ...graph, nodes: Object.fromEntries(nodes) };
}
