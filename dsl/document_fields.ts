import { isRecord, type JsonObject, OPTION, type OptionRule, own, sameJson } from "../src/base/values/mod.ts";

/** Keys of a part of the document, by their names there. `undefined` removes a key. */
export type DocumentFields = { readonly [key: string]: unknown };

/** The option `document` of flows, nodes, transitions, tools and variables, for keys without an option of their own. */
export interface DocumentOption {
  /**
   * Keys of the document that have no option of their own, such as `tool_id`. They are set in the compiled object
   * unchanged; `undefined` removes a key. Under `metadata`, `source_metadata`, `snippets` and `global_node_setting`
   * they are merged with existing keys; elsewhere they replace them. `check()` checks their texts and equations,
   * `compile()` does not.
   */
  readonly document?: DocumentFields;
}

/** A value for {@link DocumentOption}. */
export const DOCUMENT_OPTION: { readonly document: OptionRule } = { document: OPTION.object };

/** Number of levels to merge, by key; other keys are replaced. */
const MERGED = { metadata: 2, source_metadata: 2, snippets: 1, global_node_setting: 1 };

/** Applies a `document` option to the compiled object. */
export function withDocument<Compiled extends object>(
  compiled: Compiled,
  fields: DocumentFields | undefined,
): Compiled {
  if (fields === undefined || Object.keys(fields).length === 0) return compiled;
  const levelsOf = (key: string) => own<number>(MERGED, key) ?? 0;
  return merged(entriesOf(compiled), fields, levelsOf) as Compiled; // compile() parses the whole document
}

/** Computes the `document` option with which {@link withDocument} turns the compiled object into the wanted one. */
export function missingFields(compiled: object, wanted: object): DocumentFields {
  const levelsOf = (key: string) => own<number>(MERGED, key) ?? 0;
  return missing(entriesOf(compiled), entriesOf(wanted), levelsOf);
}

function merged(before: JsonObject, fields: JsonObject, levelsOf: (key: string) => number): JsonObject {
  const result = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(fields)) {
    const old = own(before, key);
    const levels = levelsOf(key);
    if (value === undefined) result.delete(key);
    else result.set(key, levels > 0 && isRecord(old) && isRecord(value) ? merged(old, value, () => levels - 1) : value);
  }
  return Object.fromEntries(result);
}

function missing(compiled: JsonObject, wanted: JsonObject, levelsOf: (key: string) => number): JsonObject {
  const keys = new Set([...Object.keys(compiled), ...Object.keys(wanted)]);
  const fields = [...keys].flatMap((key): readonly (readonly [string, unknown])[] => {
    const [is, should] = [own(compiled, key), own(wanted, key)];
    if (sameJson(is, should)) return [];
    const levels = levelsOf(key);
    if (levels === 0 || !isRecord(is) || !isRecord(should)) return [[key, should]];
    return [[key, missing(is, should, () => levels - 1)]];
  });
  return Object.fromEntries(fields);
}

function entriesOf(value: object): JsonObject {
  return Object.fromEntries(Object.entries(value));
}
