import { createHash } from "node:crypto";
import { canonicalJson } from "../../../src/values/mod.ts";

/**
 * A short hash of something that several nodes share, by which the one that was not edited is told from its edited
 * copies: it is the one that keeps its id.
 */
export function printOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 16);
}

/** Prints by id, as they are saved: a list of pairs, since an id as a key would say something of its value. */
export function readPrints(value: unknown): ReadonlyMap<string, string> {
  const pairs: readonly unknown[] = Array.isArray(value) ? value : [];
  return new Map(
    pairs.flatMap((pair) => {
      const [id, print]: readonly unknown[] = Array.isArray(pair) ? pair : [];
      return typeof id === "string" && typeof print === "string" ? [[id, print] as const] : [];
    }),
  );
}
