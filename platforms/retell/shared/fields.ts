import { isRecord, type JsonObject, omit, own } from "../../../src/base/values/mod.ts";
import { keep, ownKeys } from "./keep.ts";

/** A key that the graph models. Importers and emitters of both formats use lists of fields. */
export interface Field {
  readonly graph: string;
  /** The key in Retell's document. Default: the same. */
  readonly retell?: string;
  readonly fits: (value: unknown) => boolean;
  /** Value in the graph if the document has no valid one. Default: the key is absent. */
  readonly fallback?: unknown;
}

/** Fields of the source metadata that flows and LLMs share. */
export const SHARED_FIELDS: readonly Field[] = [
  { graph: "start_speaker", fits: (value) => value === "agent" || value === "user" },
  { graph: "default_dynamic_variables", fits: isRecord },
];

/** Reads the fields of an object. */
export function getFields(object: JsonObject, fields: readonly Field[]): JsonObject {
  const found = fields.map(({ graph, retell = graph, fits, fallback }) => {
    const value = own(object, retell);
    return [graph, value !== undefined && fits(value) ? value : fallback] as const;
  });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Reads an object by its fields and keeps all other keys in its metadata. */
export function readFields(object: JsonObject, fields: readonly Field[]): JsonObject {
  const view = getFields(object, fields);
  const read = fields.filter(({ graph }) => Object.hasOwn(view, graph)).map(({ graph, retell = graph }) => retell);
  return withMetadata(view, omit(object, read));
}

/** Writes an object: the values of the graph, then the kept keys. Invalid values are omitted. */
export function putFields(view: object, fields: readonly Field[], kept: JsonObject = ownKeys(view)): JsonObject {
  const values = fields.map(
    ({ graph, retell = graph, fits }) => [retell, own<unknown>({ ...view }, graph), fits] as const,
  );
  const written = values.filter(([, value, fits]) => value !== undefined && fits(value));
  const said = Object.fromEntries(written);
  return { ...said, ...kept, ...said };
}

/** Adds Retell's own keys to an object's metadata, if there are any. */
export function withMetadata(view: JsonObject, kept: JsonObject, owner?: string): JsonObject {
  return Object.keys(kept).length > 0 ? { ...view, metadata: keep(kept, owner) } : view;
}
