import { type AgentGraph, parseGraph } from "../../src/graph/mod.ts";
import { isRecord, own } from "../../src/values/mod.ts";
import { filledIn, isFilled } from "./filled.ts";

/**
 * Reads an AgentGraph document. Records under `source_metadata.voicetest` which keys were missing.
 *
 * @throws {GraphError} Lists every problem in `issues`; see `parseGraph`.
 */
export function importVoicetest(document: unknown): AgentGraph {
  const graph = parseGraph(document);
  const filled = filledIn(document, graph);
  const before = own(graph.source_metadata, "voicetest");
  // keep the document's own data under that key, unless it must be moved or could be mistaken for ours
  if (filled.absent.length + filled.null.length === 0 && !isFilled(before)) return graph;
  const voicetest = before === undefined ? filled : { ...filled, own: before };
  return { ...graph, source_metadata: { ...graph.source_metadata, voicetest } };
}

/** Returns the likelihood that a document is an AgentGraph: it has nodes by id and an entry node. */
export function detectVoicetest(document: unknown): number {
  if (!isRecord(document) || !isRecord(document.nodes)) return 0;
  return Object.hasOwn(document, "entry_node_id") ? 1 : 0.2;
}
