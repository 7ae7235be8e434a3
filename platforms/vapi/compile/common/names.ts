import type { ToolDefinition } from "../../../../src/graph/mod.ts";
import { getAt, type JsonObject, recordAt } from "../../../../src/values/mod.ts";
import { limits } from "../../api/mod.ts";

/** Key of an assistant's `metadata` that holds its part of the graph, and of a node's that holds where it leads. */
export const HINT_KEY = "callweave";

/** Gives out names, each only once. */
export class NamePool {
  readonly #taken = new Set<string>();

  /**
   * The wanted name, or the nearest one that is free: cut to the length, then counted up.
   *
   * @param most Longest name in characters; a function's when left out.
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

/** A text cut to a length, never through the middle of a character. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, Math.max(0, most));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A text as part of a function's name: letters, digits, `_` and `-` only, and never empty. */
export function slug(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[^a-zA-Z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return plain || "node";
}

/** A text as a variable's name in Vapi: an alias must fit `^[a-zA-Z][a-zA-Z0-9_]*$`. */
export function variableSlug(text: string): string {
  const plain = slug(text).replaceAll("-", "_");
  return /^[a-zA-Z]/.test(plain) ? plain : `v_${plain}`;
}

/** The names that the members of a squad go by: the node's id where it is short enough. */
export function nameMembers(ids: readonly string[]): ReadonlyMap<string, string> {
  const pool = new NamePool();
  const fits = (id: string) => id.length <= limits().assistantName && id.trim() === id && id !== "";
  const ordered = [...ids.filter(fits), ...ids.filter((id) => !fits(id))];
  return new Map(ordered.map((id) => [id, pool.take(id.trim() || "node", limits().assistantName)]));
}

/** Names for a message: `"a", "b"`. */
export const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

/** The name by which Vapi tells a tool from others of its kind. */
export function toolName(tool: unknown): string | undefined {
  return [getAt(tool, ["function", "name"]), getAt(tool, ["name"])].find((name) => typeof name === "string");
}

/** Vapi's own JSON of a tool, under `metadata.vapi`; empty if it has none. */
export function rawOf(tool: ToolDefinition): JsonObject {
  return recordAt(tool.metadata ?? {}, "vapi");
}

/** Whether a setting is off or empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
