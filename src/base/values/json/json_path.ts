import type { Path } from "../../errors.ts";
import { isRecord, type JsonObject, omit, own, records } from "./json.ts";

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
