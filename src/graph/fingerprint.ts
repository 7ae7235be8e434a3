import { createHash } from "node:crypto";
import { canonicalJson, isRecord, omit } from "../values/mod.ts";
import { ORIGINAL } from "./original.ts";
import type { AgentGraph } from "./types.ts";

/**
 * A hash of what a graph means: the same for documents that differ only in the order of their keys or in whether an
 * empty value is written or left out; another one for any change that a call or an emitted document could show. The
 * document that a graph was imported from does not count: what it says is in the graph.
 *
 * @returns 64 hexadecimal digits (SHA-256).
 */
export function fingerprint(graph: AgentGraph): string {
  return createHash("sha256")
    .update(canonicalJson(withoutEmpty(withoutOriginal(graph))))
    .digest("hex");
}

function withoutOriginal(graph: AgentGraph): AgentGraph {
  const { source_metadata: source } = graph;
  // what is no graph, such as a document that was not read, has a fingerprint too
  return isRecord(source) && Object.hasOwn(source, ORIGINAL)
    ? { ...graph, source_metadata: omit(source, [ORIGINAL]) }
    : graph;
}

/** Drops `null`, `undefined`, `[]` and `{}` from objects; lists keep their places. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
