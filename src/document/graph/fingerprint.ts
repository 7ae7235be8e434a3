import { createHash } from "node:crypto";
import { canonicalJson, isRecord } from "../../base/values/mod.ts";
import { withoutOriginal } from "./original.ts";
import type { AgentGraph } from "./types.ts";

/**
 * Hashes the meaning of a graph. Documents that differ only in key order, or in whether empty values are written, have
 * the same hash. Every change that affects calls or emitted documents changes it. The original document of an import
 * does not count, because the graph has its content.
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

/** Removes `null`, `undefined`, `[]` and `{}` from objects; list items stay. */
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
