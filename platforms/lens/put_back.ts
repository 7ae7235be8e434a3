import type { Path } from "../../src/errors.ts";
import type { AgentGraph } from "../../src/graph/mod.ts";
import { editJson, isRecord } from "../../src/values/mod.ts";
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
  const config = changeAt(document, shape.root?.(document) ?? [], (part) =>
    merge(part, plainJson(base), plainJson(mine), shape),
  );
  return { config, text: editJson(original.text, config, shape) };
}

/** A copy with the part at a path changed, which exists. */
function changeAt(value: unknown, [key, ...deeper]: Path, change: (part: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.with(Number(key), changeAt(value[Number(key)], deeper, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === key ? changeAt(inner, deeper, change) : inner]),
  );
}

/** The value as JSON holds it: without `undefined`, with `null` for numbers that JSON has no text for. */
function plainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
