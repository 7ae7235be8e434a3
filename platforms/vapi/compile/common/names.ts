import type { ToolDefinition } from "../../../../src/graph/mod.ts";
import { getAt, type JsonObject, recordAt } from "../../../../src/values/mod.ts";
import { limits } from "../../api/mod.ts";

/** Metadata key: of an assistant, for its part of the graph; of a transfer node or tool, for its destination. */
export const HINT_KEY = "callweave";

/** Assigns unique names. */
export class NamePool {
  readonly #taken = new Set<string>();

  /**
   * Returns the wanted name, truncated, and with a number if it is taken.
   *
   * @param most Maximum length in characters. Default: that of a function.
   */
  take(wanted: string, most = limits().functionName): string {
    for (let count = 1; ; count++) {
      const suffix = count === 1 ? "" : `_${count}`;
      const name = `${clip(wanted, most - suffix.length)}${suffix}`;
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      return name;
    }
  }
}

/** Truncates a text without splitting a character. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, Math.max(0, most));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Converts a text to a non-empty function name: only letters, digits, `_` and `-`. */
export function slug(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[^a-zA-Z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return plain || "node";
}

/** Converts a text to a variable name in Vapi, which must match `^[a-zA-Z][a-zA-Z0-9_]*$`. */
export function variableSlug(text: string): string {
  const plain = slug(text).replaceAll("-", "_");
  return /^[a-zA-Z]/.test(plain) ? plain : `v_${plain}`;
}

/** Returns unique names for the members of a squad: the node's id if Vapi accepts it. */
export function nameMembers(ids: readonly string[]): ReadonlyMap<string, string> {
  const pool = new NamePool();
  const fits = (id: string) => id.length <= limits().assistantName && id.trim() === id && id !== "";
  const ordered = [...ids.filter(fits), ...ids.filter((id) => !fits(id))];
  return new Map(ordered.map((id) => [id, pool.take(id.trim() || "node", limits().assistantName)]));
}

/** Formats names for a message: `"a", "b"`. */
export const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

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
