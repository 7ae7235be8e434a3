import { type AgentGraph, fingerprint } from "../../../document/graph/mod.ts";
import type { ResultRecord, Store } from "../../../run/store/mod.ts";
import { usage } from "../arguments/mod.ts";

/** Stored calls, and the graph that they ran on, if it is stored. */
export interface StoredCalls {
  readonly calls: readonly ResultRecord[];
  readonly graph: AgentGraph | undefined;
}

/** Completed calls. */
const FINISHED: readonly string[] = ["pass", "fail", "imported"];

/**
 * Reads the call with this id, else the completed calls of the run with this id.
 *
 * @throws {UsageError} `usage` for a run without such calls.
 * @throws {StoreError} `unknown-run`.
 */
export async function readStoredCalls(store: Store, id: string, signal: AbortSignal): Promise<StoredCalls> {
  const result = await store.findResult(id, { signal });
  if (result) {
    const graph = await store.showGraph(result.runId, { signal });
    return { calls: [result], graph: await known(graph) };
  }
  const { results, graph } = await store.showRun(id, { signal });
  const calls = results.filter(({ status }) => FINISHED.includes(status));
  if (calls.length === 0) throw usage(`run "${id}" has no completed call`, "Choose another run: callweave runs list");
  return { calls, graph: await known(graph) };
}

/** An import without an agent stores a placeholder graph, which does not have the agent's nodes and tools. */
async function known(graph: AgentGraph): Promise<AgentGraph | undefined> {
  const { unknownAgent } = await import("../../../run/calls/mod.ts");
  return fingerprint(graph) === fingerprint(unknownAgent()) ? undefined : graph;
}
