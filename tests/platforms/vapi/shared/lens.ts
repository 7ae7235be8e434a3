import type { Format, PlainEmitted } from "../../../../platforms/platform.ts";
import { type AgentGraph, parseGraph } from "../../../../src/graph/mod.ts";

/** A copy as it is after being saved and loaded. */
export function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** A document as the graph that is loaded after it was saved. */
export function imported(format: Format, document: unknown): AgentGraph {
  const graph = format.importDocument?.(plain(document));
  return parseGraph(plain(graph));
}

export function emitted(format: Format, graph: AgentGraph): PlainEmitted<unknown> {
  const result = format.emitGraph?.(graph);
  if (!result) throw new TypeError(`${format.name} cannot be emitted`);
  return result;
}
