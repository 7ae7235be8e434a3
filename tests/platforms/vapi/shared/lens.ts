import { emit, importAgent } from "../../../../platforms/mod.ts";
import type { Emitted, Format } from "../../../../platforms/platform.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";

/** Saves and loads a value as JSON. */
export function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** Imports a document, and saves and loads the graph. */
export function imported(format: Format, document: unknown): AgentGraph {
  return parseGraph(plain(importAgent(plain(document), { format: format.name }).graph));
}

/** Emits a graph into the document that it was imported from. */
export function emitted(format: Format, graph: AgentGraph): Emitted<unknown> {
  return emit(graph, format.name);
}
