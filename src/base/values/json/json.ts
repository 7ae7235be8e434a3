import type { Path } from "../../errors.ts";

/** Returns the value at a path, or `undefined` if there is none. Only own keys are followed. */
export function getAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const key of path) {
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isRecord(found)) found = own(found, String(key));
    else return undefined;
  }
  return found;
}

/** Returns the objects of a list at a path; empty if there is no list. */
export function recordsAt(value: unknown, path: Path): readonly JsonObject[] {
  return records(getAt(value, path));
}

/** Returns a copy of an object with a value set at a path. Missing objects on the way are created. */
export function setAt(record: JsonObject, [key, ...deeper]: Path, item: unknown): JsonObject {
  if (key === undefined) return record;
  return { ...record, [key]: replaceAt(own(record, String(key)), deeper, item) };
}

/** Like {@link setAt}, for any value: an empty path replaces the value itself, an index an item of a list. */
export function replaceAt(value: unknown, path: Path, item: unknown): unknown {
  const [key, ...deeper] = path;
  if (key === undefined) return item;
  if (Array.isArray(value) && typeof key === "number") {
    const index = Math.min(Math.max(0, Math.floor(key)), value.length);
    return [...value.slice(0, index), replaceAt(value[index], deeper, item), ...value.slice(index + 1)];
  }
  return setAt(isRecord(value) ? value : {}, path, item);
}

/** Returns a copy without the key at the end of a path, or the same object if there is no such key. */
export function dropAt(record: JsonObject, path: Path): JsonObject {
  const owner = getAt(record, path.slice(0, -1));
  const key = String(path.at(-1));
  if (path.length === 0 || !isRecord(owner) || !Object.hasOwn(owner, key)) return record;
  const without = omit(owner, [key]);
  return path.length === 1 ? without : setAt(record, path.slice(0, -1), without);
}

/** A JSON object of unknown content. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether a value is an object with keys, not an array or null. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a list whose items are all accepted. */
export function isListOf<Item>(value: unknown, accepts: (item: unknown) => item is Item): value is readonly Item[];
export function isListOf(value: unknown, accepts: (item: unknown) => boolean): boolean;
export function isListOf(value: unknown, accepts: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((item: unknown) => accepts(item));
}

/** Whether a value is a list of texts. */
export function isTexts(value: unknown): value is readonly string[] {
  return isListOf(value, (item) => typeof item === "string");
}

/** Whether a value is an object whose values are texts. */
export function isTextMap(value: unknown): value is { readonly [name: string]: string } {
  return isRecord(value) && Object.values(value).every((text) => typeof text === "string");
}

/** Whether a value is a list of objects that are all accepted. */
export function isRecords(value: unknown, accepts: (record: JsonObject) => boolean): boolean {
  return isListOf(value, (item) => isRecord(item) && accepts(item));
}

/** Returns the value of an own key; inherited names (`constructor`, `toString`) are ignored. */
export function own<Value>(record: { readonly [key: string]: Value }, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Returns the object under an own key, or an empty object. */
export function recordAt(record: JsonObject, key: string): JsonObject {
  const value = own(record, key);
  return isRecord(value) ? value : {};
}

/** Copies an object without the given keys. A key named `__proto__` stays an ordinary key. */
export function omit(record: JsonObject, keys: readonly string[]): JsonObject {
  const left = new Set(keys);
  return Object.fromEntries(Object.entries(record).filter(([key]) => !left.has(key)));
}

/** Copies an object with the given keys only. */
export function pick(record: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([key]) => keys.includes(key)));
}

/** Whether two JSON values are equal, ignoring key order; an `undefined` key counts as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!sameJson(a[index], b[index])) return false;
    return true;
  }
  return isRecord(a) && isRecord(b) && sameRecords(a, b);
}

/** Loops instead of callbacks: emitting a graph into its original compares most of the document several times. */
function sameRecords(a: JsonObject, b: JsonObject): boolean {
  let count = 0;
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(b, key) || !sameJson(value, b[key])) return false;
    count++;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) count--;
  return count === 0;
}

/** Whether a JSON value is a part of another one: its objects may have fewer keys, at any depth. */
export function isWithin(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(whole) && part.length === whole.length && part.every((each, index) => isWithin(each, whole[index]))
    );
  if (!isRecord(part)) return sameJson(part, whole);
  return isRecord(whole) && Object.entries(part).every(([key, each]) => isWithin(each, own(whole, key)));
}

/** Copies an object without the keys whose value is `undefined`. */
export function defined<Value extends object>(record: Value): Value {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Value; // a key that may be undefined may be absent
}

/** Formats a JSON value for a file: two spaces of indentation, a final line break. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Parses JSON; `undefined` for a text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a text that is JSON; other values are returned as they are. */
export function jsonOrText(value: unknown): unknown {
  const parsed = typeof value === "string" ? parsedJson(value) : undefined;
  return parsed === undefined ? value : parsed;
}

/** Serializes JSON with sorted keys and without `undefined`. Equal for values that {@link sameJson} considers equal. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
    .join(",")}}`;
}

/** The entries of an object sorted by key, for lists built from objects whose key order may change. */
export function sortedEntries<Value>(record: { readonly [key: string]: Value }): readonly (readonly [string, Value])[] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the objects of a list; empty if the value is not a list. */
export function records(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
