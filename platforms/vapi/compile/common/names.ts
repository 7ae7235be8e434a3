import { getAt, type JsonObject, Names, recordAt, slug } from "../../../../src/base/values/mod.ts";
import type { ToolDefinition } from "../../../../src/document/graph/mod.ts";
import { limits } from "../../api/mod.ts";
import type { AssistantOverrides } from "../../generated/mod.ts";

/** Metadata key: of an assistant, for its part of the graph; of a transfer node or tool, for its destination. */
export const HINT_KEY = "callweave";

/** Converts a text to a name that Vapi accepts for functions: without accents, and never empty. */
export const functionSlug = (text: string) => slug(text.normalize("NFKD")) || "node";

/** Converts a text to a variable name in Vapi, which must match `^[a-zA-Z][a-zA-Z0-9_]*$`. */
export function variableSlug(text: string): string {
  const plain = functionSlug(text).replaceAll("-", "_");
  return /^[a-zA-Z]/.test(plain) ? plain : `v_${plain}`;
}

/** Returns unique names for the members of a squad: the node's id if Vapi accepts it. */
export function memberNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const pool = new Names([], { joint: "_", limit: limits().assistantName });
  const fits = (id: string) => id.length <= limits().assistantName && id.trim() === id && id !== "";
  const ordered = [...ids.filter(fits), ...ids.filter((id) => !fits(id))];
  return new Map(ordered.map((id) => [id, pool.take(id.trim() || "node")]));
}

/** A tool inside an assistant. */
export type VapiTool = NonNullable<AssistantOverrides["tools:append"]>[number];

/** Returns the name of a tool in Vapi's JSON. */
export function toolName(tool: unknown): string | undefined {
  return [getAt(tool, ["function", "name"]), getAt(tool, ["name"])].find((name) => typeof name === "string");
}

/** Returns a tool's JSON for Vapi under `metadata.vapi`; empty if it has none. */
export function rawOf(tool: ToolDefinition): JsonObject {
  return recordAt(tool.metadata ?? {}, "vapi");
}

/** Whether a setting is off or empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
