import type { Metadata } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";

/**
 * The owner under which graphs keep what is Retell's. `metadata.retell` holds the platform's own keys, flat, whether
 * they came with an import or from the `retell: {…}` option of a flow in code: one place, one mechanism.
 */
export const OWNER = "retell";

/** Notes of the importer that make the way back exact. Users never write them. */
export interface Lens {
  /** Keys that emitting would add, and that were not in the document. */
  readonly absent?: readonly string[];
  readonly [note: string]: unknown;
}

/** What an object of the graph keeps for Retell. */
export interface Kept {
  /** The platform's own keys: they are emitted as they are, wherever the graph does not say otherwise. */
  readonly own: JsonObject;
  readonly lens: Lens;
}

/** Names that are the importer's within `metadata.retell`; a document's keys of that name are set aside in the lens. */
const RESERVED = ["lens", "agent"];

/** Packs what is to be kept; nothing to keep is no metadata at all. */
export function keep(own: JsonObject, lens: JsonObject = {}): Metadata {
  const aside = Object.fromEntries(Object.entries(own).filter(([key]) => RESERVED.includes(key)));
  const notes = Object.entries({ ...lens, aside }).filter(([, note]) => !isEmpty(note));
  const all = { ...omit(own, RESERVED), ...(notes.length > 0 ? { lens: Object.fromEntries(notes) } : {}) };
  return Object.keys(all).length > 0 ? { [OWNER]: all } : {};
}

/** Unpacks what {@link keep} packed, or what a flow in code gave in its place. */
export function kept(metadata: unknown): Kept {
  const all = isRecord(metadata) && Object.hasOwn(metadata, OWNER) ? metadata[OWNER] : undefined;
  if (!isRecord(all)) return { own: {}, lens: {} };
  const lens = Object.hasOwn(all, "lens") && isRecord(all.lens) ? all.lens : {};
  const aside = isRecord(lens.aside) ? lens.aside : {};
  const absent = Array.isArray(lens.absent) ? lens.absent.filter((key) => typeof key === "string") : [];
  return { own: { ...omit(all, RESERVED), ...aside }, lens: { ...lens, absent } };
}

/** Adds to the importer's notes. */
export function note(metadata: unknown, notes: JsonObject): Metadata {
  const others = isRecord(metadata) ? metadata : {};
  const all = isRecord(others[OWNER]) ? others[OWNER] : {};
  const lens = Object.hasOwn(all, "lens") && isRecord(all.lens) ? all.lens : {};
  return { ...others, [OWNER]: { ...all, lens: { ...lens, ...notes } } };
}

/** Whether the document had no such key although emitting would write one. */
export function wasAbsent(lens: Lens, key: string): boolean {
  return lens.absent?.includes(key) ?? false;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}
