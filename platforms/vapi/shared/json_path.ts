import { isRecord, type JsonObject, own } from "../../../src/values/mod.ts";

/** Keys and indexes from an object down to a value in it. */
export type JsonPath = readonly (string | number)[];

/** The value at a path, or `undefined` where the path leads nowhere. Only own keys are followed. */
export function getAt(value: unknown, path: JsonPath): unknown {
  let found = value;
  for (const key of path) {
    if (Array.isArray(found)) found = typeof key === "number" ? found[key] : undefined;
    else if (isRecord(found)) found = own(found, String(key));
    else return undefined;
  }
  return found;
}

/** The objects of a list at a path; empty where there is no list. */
export function recordsAt(value: unknown, path: JsonPath): readonly JsonObject[] {
  const list = getAt(value, path);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** A copy with a value set at a path; objects that are missing on the way are made. */
export function setAt(record: JsonObject, path: JsonPath, item: unknown): JsonObject {
  const [key, ...deeper] = path;
  if (key === undefined) return record;
  const inner = own(record, String(key));
  return { ...record, [String(key)]: setInside(inner, deeper, item) };
}

function setInside(value: unknown, path: JsonPath, item: unknown): unknown {
  const [key, ...deeper] = path;
  if (key === undefined) return item;
  if (Array.isArray(value) && typeof key === "number") {
    const index = Math.min(Math.max(0, Math.floor(key)), value.length);
    return [...value.slice(0, index), setInside(value[index], deeper, item), ...value.slice(index + 1)];
  }
  return setAt(isRecord(value) ? value : {}, path, item);
}

/** A copy without the key at the end of a path; the same object when there is none. */
export function dropAt(record: JsonObject, path: JsonPath): JsonObject {
  const key = path.at(-1);
  const owner = getAt(record, path.slice(0, -1));
  if (key === undefined || !isRecord(owner) || !Object.hasOwn(owner, String(key))) return record;
  const without = Object.fromEntries(Object.entries(owner).filter(([name]) => name !== String(key)));
  return path.length === 1 ? without : setAt(record, path.slice(0, -1), without);
}

/** The first of the places where a record has a text, or a blank for one. */
export function textPlace(record: JsonObject, places: readonly JsonPath[]): JsonPath | undefined {
  return places.find((place) => typeof getAt(record, place) === "string");
}

/** Whether a value is a text with content. The graph holds such texts; an empty one stays in the platform's settings. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Takes the first text at one of the places out. A blank stays there; empty texts at the other places go. */
export function takeText(
  record: JsonObject,
  places: readonly JsonPath[],
): { readonly text?: string; readonly rest: JsonObject } {
  const at = places.find((place) => isText(getAt(record, place)));
  const text = at && getAt(record, at);
  const rest = places.filter((place) => getAt(record, place) === "").reduce(dropAt, record);
  return at && isText(text) ? { text, rest: setAt(rest, at, "") } : { rest };
}
