import { readFileSync } from "node:fs";
import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";
import type { Schemas } from "./interfaces.ts";

/**
 * Reads the document that a platform publishes.
 *
 * @returns The parsed document, or in one line why it cannot be read.
 */
export function readPublished(file: string): { readonly document: unknown } | { readonly problem: string } {
  try {
    return { document: JSON.parse(readFileSync(file, "utf8")) };
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { problem: `Cannot read "${file}": ${reason}` };
  }
}

/** The definitions of a JSON Schema, or the schemas of an OpenAPI document. */
export function schemasOf(document: unknown): Schemas {
  const { definitions, components } = isRecord(document) ? document : {};
  const { schemas } = isRecord(components) ? components : {};
  const all = isRecord(definitions) ? definitions : isRecord(schemas) ? schemas : {};
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, JsonObject] => isRecord(entry[1])));
}
