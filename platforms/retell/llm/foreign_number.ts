import type { Metadata } from "../../../src/graph/mod.ts";
import { isRecord } from "../../../src/values/mod.ts";
import { OWNER } from "./schema.ts";

const MAX_DEPTH = 6;

/** The number that a transfer from another platform goes to, wherever that platform keeps it. */
export function foreignNumber(metadata: Metadata | null | undefined): string | undefined {
  const others = Object.entries(metadata ?? {}).filter(([owner]) => owner !== "retell" && owner !== OWNER);
  return search(Object.fromEntries(others), 0);
}

function search(value: unknown, depth: number): string | undefined {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return undefined;
  if (isRecord(value) && typeof value.number === "string" && value.number !== "") return value.number;
  for (const item of Object.values(value)) {
    const found = search(item, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
