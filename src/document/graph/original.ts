import { isRecord, omit } from "../../base/values/mod.ts";
import type { AgentGraph, OriginalDocument } from "./types.ts";

/** Key of `source_metadata` for the document that a graph was imported from. */
export const ORIGINAL = "original";

/** Attaches the imported document to a graph; `emit()` writes changes of the graph into it. */
export function withOriginal(graph: AgentGraph, original: OriginalDocument): AgentGraph {
  return { ...graph, source_metadata: { ...graph.source_metadata, [ORIGINAL]: original } };
}

/** Returns the graph without its imported document. Accepts values that are not graphs, such as an unparsed document. */
export function withoutOriginal(graph: AgentGraph): AgentGraph {
  const { source_metadata: source } = graph;
  if (!isRecord(source) || !Object.hasOwn(source, ORIGINAL)) return graph;
  return { ...graph, source_metadata: omit(source, [ORIGINAL]) };
}

/** Returns the imported document; `undefined` for a graph from code, or if the document was removed or damaged. */
export function originalOf({ source_metadata: source }: AgentGraph): OriginalDocument | undefined {
  const { [ORIGINAL]: original } = source;
  return isOriginal(original) ? original : undefined;
}

function isOriginal(value: unknown): value is OriginalDocument {
  return isRecord(value) && typeof value.format === "string" && typeof value.text === "string";
}
