import { isRecord } from "../values/mod.ts";

/** Key of an item's name, for maps that are merged like lists. */
export const ITEM_NAME = "\u0000name";

/** Converts maps of items to lists. */
export function listMaps(value: unknown, maps: readonly string[] = []): unknown {
  if (maps.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => listMaps(item, maps));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const items = maps.includes(key) && isRecord(inner) ? Object.entries(inner) : [];
    if (items.length === 0 || !items.every(([, item]) => isRecord(item))) return [key, listMaps(inner, maps)];
    return [key, items.map(([name, item]) => ({ [ITEM_NAME]: name, ...(isRecord(item) ? item : {}) }))];
  });
  return Object.fromEntries(entries);
}

/** Converts the lists back. */
export function unlistMaps(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(unlistMaps);
    if (!value.some((item) => isRecord(item) && Object.hasOwn(item, ITEM_NAME))) return items;
    return Object.fromEntries(items.filter(isRecord).map(({ [ITEM_NAME]: name, ...item }) => [String(name), item]));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unlistMaps(inner)]));
}
