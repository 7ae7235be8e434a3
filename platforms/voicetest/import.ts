import { type AgentGraph, parseGraph } from "../../src/graph/mod.ts";
import { isRecord, own } from "../../src/values/mod.ts";
import { filledIn, isFilled } from "./filled.ts";

/**
 * Reads an AgentGraph document, and remembers under `source_metadata.voicetest` what it left out.
 *
 * @throws {GraphError} With every problem in `issues`; see `parseGraph`.
 */
export function importVoicetest(document: unknown): AgentGraph {
  const graph = parseGraph(document);
  const filled = filledIn(document, graph);
  const before = own(graph.source_metadata, "voicetest");
  // The document's own data of that name stays where it is, unless it has to make room or could be taken for ours.
  if (filled.absent.length + filled.null.length === 0 && !isFilled(before)) return graph;
  const voicetest = before === undefined ? filled : { ...filled, own: before };
  return { ...graph, source_metadata: { ...graph.source_metadata, voicetest } };
}

/** How sure it is that a document is an AgentGraph: nodes by id, and the key for where a call starts. */
export function detectVoicetest(document: unknown): number {
  if (!isRecord(document) || !isRecord(document.nodes)) return 0;
  return Object.hasOwn(document, "entry_node_id") ? 1 : 0.2;
}
