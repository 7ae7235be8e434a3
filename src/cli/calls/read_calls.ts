import { type AgentGraph, fingerprint } from "../../graph/mod.ts";
import type { ResultRecord, Store } from "../../store/mod.ts";
import { usage } from "../arguments/mod.ts";

/** Stored calls, and the graph that they were held with, if one is stored. */
export interface StoredCalls {
  readonly calls: readonly ResultRecord[];
  readonly graph: AgentGraph | undefined;
}

/** Calls that were held to their end. */
const HELD: readonly string[] = ["pass", "fail", "imported"];

/**
 * Reads the call with this id, else the calls of the run with this id that were held to their end.
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
  const calls = results.filter(({ status }) => HELD.includes(status));
  if (calls.length === 0)
    throw usage(`run "${id}" has no call that was held to its end`, "Choose another run: callweave runs list");
  return { calls, graph: await known(graph) };
}

/** An import without an agent stores one that stands for it; it does not tell which nodes and tools there are. */
async function known(graph: AgentGraph): Promise<AgentGraph | undefined> {
  const { unknownAgent } = await import("../../calls/mod.ts");
  return fingerprint(graph) === fingerprint(unknownAgent()) ? undefined : graph;
}
