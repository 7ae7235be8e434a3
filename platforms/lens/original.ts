import { type AgentGraph, ORIGINAL, type OriginalDocument } from "../../src/graph/mod.ts";
import { isRecord, omit } from "../../src/values/mod.ts";

/** A graph with the document that it was read from, which {@link putBack} writes its changes into. */
export function withOriginal(graph: AgentGraph, original: OriginalDocument): AgentGraph {
  return { ...graph, source_metadata: { ...graph.source_metadata, [ORIGINAL]: original } };
}

/** The graph alone, as emitters take it. */
export function withoutOriginal(graph: AgentGraph): AgentGraph {
  if (!Object.hasOwn(graph.source_metadata, ORIGINAL)) return graph;
  return { ...graph, source_metadata: omit(graph.source_metadata, [ORIGINAL]) };
}

/** The document that a graph was read from; `undefined` for a graph from code, or where somebody took it out. */
export function originalOf({ source_metadata: source }: AgentGraph): OriginalDocument | undefined {
  const original = source[ORIGINAL];
  if (!isRecord(original)) return undefined;
  const { format, text } = original;
  return typeof format === "string" && typeof text === "string" ? { format, text } : undefined;
}

/** The text of a document that was passed as a value. */
export function textOf(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
