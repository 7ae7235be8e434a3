import { emit, importAgent } from "../../../../platforms/mod.ts";
import type { Emitted, Format } from "../../../../platforms/platform.ts";
import { type AgentGraph, parseGraph } from "../../../../src/graph/mod.ts";

/** A copy as it is after being saved and loaded. */
export function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** A document as the graph that is loaded after it was saved. */
export function imported(format: Format, document: unknown): AgentGraph {
  return parseGraph(plain(importAgent(plain(document), { format: format.name }).graph));
}

/** What is written of a graph: the document that it came from, with the changes since. */
export function emitted(format: Format, graph: AgentGraph): Emitted<unknown> {
  return emit(graph, format.name);
}
