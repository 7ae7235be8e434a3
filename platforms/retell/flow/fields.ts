import { isRecord, type JsonObject, omit, sameJson } from "../../../src/values/mod.ts";
import { type Kept, keep, wasAbsent } from "../shared/mod.ts";

/** One key of a platform's object that the graph models in its own terms. */
export interface Field {
  readonly graph: string;
  readonly retell: string;
  readonly fits: (value: unknown) => boolean;
  /** What the graph holds where the document has nothing that fits. Absent: nothing. */
  readonly fallback?: unknown;
}

export const isText = (value: unknown): value is string => typeof value === "string";
export const isTextMap = (value: unknown): value is { readonly [name: string]: string } =>
  isRecord(value) && Object.values(value).every(isText);
export const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** Reads an object by its fields: what they model, and, packed as metadata, everything else. */
export function getFields(object: JsonObject, fields: readonly Field[], lens: JsonObject = {}): JsonObject {
  const held = fields.filter(({ retell, fits }) => Object.hasOwn(object, retell) && fits(object[retell]));
  const filled = fields.filter((field) => field.fallback !== undefined && !held.includes(field));
  const absent = filled.map(({ retell }) => retell).filter((key) => !Object.hasOwn(object, key));
  const metadata = keep(
    omit(
      object,
      held.map(({ retell }) => retell),
    ),
    { ...lens, absent },
  );
  return {
    ...Object.fromEntries(filled.map(({ graph, fallback }) => [graph, fallback])),
    ...Object.fromEntries(held.map(({ graph, retell }) => [graph, object[retell]])),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

/** Writes an object back: the graph's fields, and everything else where the graph says nothing. */
export function putFields(view: JsonObject, fields: readonly Field[], { own, lens }: Kept): JsonObject {
  const said = fields.flatMap((field) => {
    const value = Object.hasOwn(view, field.graph) ? view[field.graph] : undefined;
    if (value === undefined || value === null) return [];
    const unsaid = wasAbsent(lens, field.retell) || Object.hasOwn(own, field.retell);
    if (unsaid && field.fallback !== undefined && sameJson(value, field.fallback)) return [];
    return [[field.retell, value] as const];
  });
  return { ...own, ...Object.fromEntries(said) };
}
