import { createHash } from "node:crypto";
import { canonicalJson, isRecord, omit } from "../values/mod.ts";
import { ORIGINAL } from "./original.ts";
import type { AgentGraph } from "./types.ts";

/**
 * A hash of the meaning of a graph: equal for documents that differ only in the order of keys, or in empty values that
 * are written or omitted. Any change that a call or an emitted document could show changes it. The document that a
 * graph was imported from does not count, because the graph holds its content.
 *
 * @returns 64 hexadecimal digits (SHA-256).
 */
export function fingerprint(graph: AgentGraph): string {
  return createHash("sha256")
    .update(canonicalJson(contentOf(graph)))
    .digest("hex");
}

/** The part of a document that its fingerprint covers: without the imported document and without empty values. */
export function contentOf(graph: AgentGraph): unknown {
  return withoutEmpty(withoutOriginal(graph));
}

function withoutOriginal(graph: AgentGraph): AgentGraph {
  const { source_metadata: source } = graph;
  // also for values that are not graphs, such as a document that was not parsed
  return isRecord(source) && Object.hasOwn(source, ORIGINAL)
    ? { ...graph, source_metadata: omit(source, [ORIGINAL]) }
    : graph;
}

/** Drops `null`, `undefined`, `[]` and `{}` from objects; lists keep their places. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
