import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { keep } from "../shared/mod.ts";

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

/** What the fields of an object say, in the graph's terms. */
export function getFields(object: JsonObject, fields: readonly Field[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ graph, retell, fits, fallback }) => {
      if (Object.hasOwn(object, retell) && fits(object[retell])) return [[graph, object[retell]] as const];
      return fallback === undefined ? [] : [[graph, fallback] as const];
    }),
  );
}

/** Reads an object by its fields: what they model, and, packed as metadata, everything else. */
export function readFields(object: JsonObject, fields: readonly Field[]): JsonObject {
  const own = omit(
    object,
    fields.map(({ retell }) => retell),
  );
  const metadata = keep(own);
  return { ...getFields(object, fields), ...(Object.keys(own).length > 0 ? { metadata } : {}) };
}

/** Writes an object: what the graph says, and everything else where it says nothing. */
export function putFields(view: JsonObject, fields: readonly Field[], own: JsonObject): JsonObject {
  const said = fields.flatMap(({ graph, retell }) => {
    const value = Object.hasOwn(view, graph) ? view[graph] : undefined;
    return value === undefined || value === null ? [] : [[retell, value] as const];
  });
  return { ...own, ...Object.fromEntries(said) };
}
