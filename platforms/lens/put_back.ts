import type { AgentGraph } from "../../src/graph/mod.ts";
import { editJson } from "../../src/values/mod.ts";
import { type DocumentShape, merge } from "./merge.ts";
import { originalOf } from "./original.ts";

/** One format's two directions, as {@link putBack} needs them. */
export interface Direction {
  readonly name: string;
  readonly shape: DocumentShape;
  readonly read: (document: unknown) => AgentGraph;
  /** Writes a document that knows nothing of an original. */
  readonly write: (graph: AgentGraph) => unknown;
}

/** A document as a value and as the text of a file. */
export interface Written {
  readonly config: unknown;
  readonly text: string;
}

/**
 * Writes a graph into the document that it was imported from: `merge(original, base, mine)`, where `base` is what emitting
 * the imported original gives and `mine` what emitting the graph gives. Only what changed between the two is changed.
 *
 * @param mine What `write` gives for the graph.
 * @returns `undefined` where the graph did not come from this format.
 * @throws {SyntaxError | CallweaveError} If the original, which a graph's document holds as a text, was damaged.
 */
export function putBack(
  graph: AgentGraph,
  mine: unknown,
  { name, shape, read, write }: Direction,
): Written | undefined {
  const original = originalOf(graph);
  if (original?.format !== name) return undefined;
  const document: unknown = JSON.parse(original.text.replace(/^\uFEFF/, ""));
  const base = write(read(document));
  const config = merge(document, plainJson(base), plainJson(mine), shape);
  return { config, text: editJson(original.text, config, shape) };
}

/** The value as JSON holds it: without `undefined`, with `null` for numbers that JSON has no text for. */
function plainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
