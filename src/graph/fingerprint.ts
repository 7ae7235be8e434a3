import { createHash } from "node:crypto";
import { canonicalJson, isRecord } from "../values/mod.ts";
import type { AgentGraph } from "./types.ts";

/**
 * A hash of what a graph means: the same for documents that differ only in the order of their keys or in whether an
 * empty value is written or left out; another one for any change that a call or an emitted document could show.
 *
 * @returns 64 hexadecimal digits (SHA-256).
 */
export function fingerprint(graph: AgentGraph): string {
  return createHash("sha256")
    .update(canonicalJson(withoutEmpty(graph)))
    .digest("hex");
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
