import { randomUUID } from "node:crypto";
import type { Path } from "../../base/errors.ts";
import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import { isInOriginal } from "./original.ts";

/** Matches a reference to an environment variable in a document. */
export const ENV_REFERENCE = /\{\{\s*env:([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Marks references made by code. It is generated per process, so no document can contain it. */
const MARK = randomUUID();
const CODE_REFERENCE = new RegExp(`\\{\\{env:([A-Za-z_][A-Za-z0-9_]*)#${MARK}\\}\\}`, "g");

/** Whether a text is a valid variable name. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** Creates a reference that can be told apart from one in a text that the program has read. */
export function codeReference(name: string): string {
  return `{{env:${name}#${MARK}}}`;
}

/** Converts references made by code to document form and returns their names. */
export function plainReferences(text: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const plain = text.replaceAll(CODE_REFERENCE, (_, name: string) => {
    names.push(name);
    return `{{env:${name}}}`;
  });
  return { text: plain, names };
}

/** Names of the environment variables that a document refers to. */
export function referencedNames(document: unknown): readonly string[] {
  const text = JSON.stringify(document) ?? "";
  return [...new Set([...text.matchAll(ENV_REFERENCE)].flatMap(([, name]) => (name === undefined ? [] : [name])))];
}

/** A text in a graph, and its context. */
export interface TextPosition {
  readonly path: Path;
  readonly text: string;
  /**
   * Key of the text. For `{ name, value }` pairs, and `value` and `default` in schemas, the name they belong to.
   */
  readonly owner: string;
  /** Name of the surrounding tool or server, or id of the node. Absent for texts of the whole agent. */
  readonly scope?: string;
  /** Whether the text is the value of a header or query parameter. */
  readonly header: boolean;
  /** Whether the key describes the value. False for names that users choose freely. */
  readonly keyed: boolean;
}

/** Keys whose value belongs to the key above them. */
const TRANSPARENT = new Set(["value", "default", "const", "properties"]);
const HEADERS = /^(?:custom_?)?(?:sip_?)?headers?$|^query_?params?$/i;
/** Maps from user-defined names to values that are never secrets: paths, prompts. */
const NAMES = new Set(["response_variables", "snippets", "variables_to_extract"]);

/** Keys of names and references in platform documents. */
const NAMING = new Set<string | number>([
  "id",
  "name",
  "type",
  "tool_id",
  "start_node_id",
  "destination_node_id",
  "format",
]);

/** Whether a text is an id, name or type. These are never secrets, and changing them would break references. */
function isStructural(path: Path): boolean {
  const [first, , third, , fifth] = path;
  if (path.length === 1) return first === "entry_node_id" || first === "source_type" || first === "default_model";
  if (isInOriginal(path)) return NAMING.has(path.at(-1) ?? "");
  if (first !== "nodes") return false;
  if (path.length === 3) return third === "id" || third === "node_type" || third === "instruction_type";
  if (path.length !== 5) return false;
  if (third === "transitions") return fifth === "target_node_id" || fifth === "timing";
  if (third !== "tools" && third !== "variables_to_extract") return false;
  return fifth === "name" || fifth === "type" || fifth === "tool_id";
}

interface Around {
  readonly owner: string;
  readonly scope?: string;
  readonly header: boolean;
  readonly keyed: boolean;
}

/** Returns every text of a graph that may contain a secret. */
export function placesOf(graph: unknown): readonly TextPosition[] {
  const places: TextPosition[] = [];
  const visit = (value: unknown, path: Path, around: Around): void => {
    if (typeof value === "string") {
      if (value !== "" && !isStructural(path)) places.push({ path, text: value, ...around });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, [...path, index], scoped(item, around));
    } else if (isRecord(value)) {
      const named = nameOfPair(value);
      for (const [key, item] of Object.entries(value)) {
        const owner = key === "value" && named !== undefined ? named : TRANSPARENT.has(key) ? around.owner : key;
        const inner = path.length === 1 && path[0] === "nodes" ? { ...around, scope: key } : around;
        const header = inner.header || HEADERS.test(key);
        visit(item, [...path, key], { ...inner, owner, header, keyed: inner.keyed && !NAMES.has(key) });
      }
    }
  };
  visit(graph, [], { owner: "", header: false, keyed: true });
  return places;
}

/** Adds the name of a tool or server, which are items of lists. */
function scoped(item: unknown, around: Around): Around {
  return isRecord(item) && typeof item.name === "string" && item.name !== "" ? { ...around, scope: item.name } : around;
}

/**
 * Returns the name of a `{ name: "Authorization", value: "…" }` or `{ key: …, value: … }` pair, as some platforms write
 * headers.
 */
function nameOfPair(record: { readonly [key: string]: unknown }): string | undefined {
  if (typeof record.value !== "string") return undefined;
  if (typeof record.key === "string") return record.key;
  return typeof record.name === "string" ? record.name : undefined;
}

/** Deepest nesting in which texts are replaced, because of circular references. */
const MOST_LEVELS = 1_000;

/** Replaces texts in a value. Unchanged parts stay the same objects. */
export function replaceTexts<Value>(value: Value, replace: (text: string, path: Path) => string): Value {
  const around = new Set<object>();
  const visit = (item: unknown, path: Path): unknown => {
    if (typeof item === "string") return isStructural(path) ? item : replace(item, path);
    if (typeof item !== "object" || item === null || around.has(item) || around.size > MOST_LEVELS) return item;
    around.add(item);
    const copy = Array.isArray(item) ? list(item, path) : isRecord(item) ? record(item, path) : item;
    around.delete(item);
    return copy;
  };
  const list = (items: readonly unknown[], path: Path): unknown => {
    const copies = items.map((child, index) => visit(child, [...path, index]));
    return copies.some((child, index) => child !== items[index]) ? copies : items;
  };
  const record = (source: JsonObject, path: Path): unknown => {
    const entries = Object.entries(source).map(([key, child]) => [key, visit(child, [...path, key])] as const);
    return entries.some(([key, child]) => child !== source[key]) ? Object.fromEntries(entries) : source;
  };
  return visit(value, []) as Value; // only strings are replaced, by strings
}
