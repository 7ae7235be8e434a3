import { emit } from "../../../../platforms/mod.ts";
import { editJson, isRecord } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { AgentSource } from "../../project/mod.ts";

/** The format that is the graph's document itself. */
const GRAPH_FORMAT = "graph";

/** A graph in the format of its source; a graph's own document keeps the layout and the order of its file. */
export function inSourceFormat(graph: AgentGraph, { format, text = "" }: Pick<AgentSource, "format" | "text">): string {
  const emitted = emit(graph, format);
  if (format !== GRAPH_FORMAT) return emitted.text;
  const source: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  // serializing the graph loses the file's layout; this keeps it
  return editJson(text, inOrderOf(source, emitted.config), { keys: ["id", "name"] });
}

/** A document with its keys in the order of its source, those that the source does not have last. */
function inOrderOf(source: unknown, value: unknown): unknown {
  if (Array.isArray(source) && Array.isArray(value)) return value.map((item, index) => inOrderOf(source[index], item));
  if (!isRecord(source) || !isRecord(value)) return value;
  const keys = new Set([...Object.keys(source).filter((key) => Object.hasOwn(value, key)), ...Object.keys(value)]);
  return Object.fromEntries([...keys].map((key) => [key, inOrderOf(source[key], value[key])] as const));
}
