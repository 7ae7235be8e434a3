import type * as v from "valibot";
import { isRecord } from "../../src/base/values/mod.ts";
import * as fc from "../fast_check.ts";

/** Stands in generated texts where {@link marked} puts a number of their own. */
const MARK = "##";

/** Values for the keys of a schema that need more than any text: by the key, or by the key of its owner and the key. */
export type Hints = { readonly [place: string]: fc.Arbitrary<unknown> };

/** The parts of a valibot schema that generating reads. */
type Schema = Partial<v.GenericSchema> & {
  readonly type?: string;
  readonly entries?: { readonly [key: string]: Schema };
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly value?: Schema;
  readonly options?: readonly unknown[];
};

/**
 * Generates values of a valibot schema with every optional key present in about half of them. A key that is added to
 * the schema is generated without a change here.
 *
 * @param place The key of the value and that of its owner, as in `tools.url`.
 */
export function valuesOfSchema(schema: Schema, hints: Hints, place = ""): fc.Arbitrary<unknown> {
  const key = place.slice(place.indexOf(".") + 1);
  const hinted = hints[place] ?? hints[key];
  if (schema.type === "nullish" || schema.type === "optional" || schema.type === "nullable")
    return fc.option(valuesOfSchema(schema.wrapped ?? {}, hints, place), { nil: undefined, freq: 2 });
  if (hinted) return hinted;
  if (schema.entries) {
    const entries = Object.entries(schema.entries).map(
      ([name, entry]) => [name, valuesOfSchema(entry, hints, `${key}.${name}`)] as const,
    );
    return fc.record(Object.fromEntries(entries));
  }
  switch (schema.type) {
    case "string":
      return fc.constant(`q${MARK}q`);
    case "number":
      return fc.constant(MARK);
    case "boolean":
      return fc.boolean();
    case "picklist":
      return fc.constantFrom(...(schema.options ?? []));
    case "union":
      return fc.oneof(
        ...(schema.options ?? []).map((each) => valuesOfSchema(isRecord(each) ? each : {}, hints, place)),
      );
    case "array":
      return fc.array(valuesOfSchema(schema.item ?? {}, hints, place), { maxLength: 2 });
    case "record":
      return fc
        .array(fc.tuple(fc.constant(`q${MARK}q`), valuesOfSchema(schema.value ?? {}, hints, place)), { maxLength: 2 })
        .map((entries) => ({ [ENTRIES]: entries }));
    default:
      throw new TypeError(`Values of the schema type "${schema.type}" at ${place} cannot be generated yet`);
  }
}

/** Key of the entries of a record: they have the same key until they are numbered. */
const ENTRIES = "(entries)";

/** Puts a number of its own in the place of each mark, and leaves out what is undefined. */
export function marked(value: unknown, next: () => number): unknown {
  if (value === MARK) return next();
  if (typeof value === "string") return value.replaceAll(MARK, () => String(next()));
  if (Array.isArray(value)) return value.map((item) => marked(item, next));
  if (!isRecord(value)) return value;
  const given = value[ENTRIES];
  const entries: readonly unknown[] = Array.isArray(given) ? given : Object.entries(value);
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const [key, item]: readonly unknown[] = Array.isArray(entry) ? entry : [];
      return item === undefined ? [] : [[marked(String(key), next), marked(item, next)]];
    }),
  );
}

/** Returns the choices of a setting in a schema; `undefined` if it accepts other values too. */
export function choicesIn(schema: Schema, path: readonly (string | number)[]): readonly unknown[] | undefined {
  if (schema.wrapped) return choicesIn(schema.wrapped, path);
  const [key, ...deeper] = path;
  if (key === undefined) return schema.type === "picklist" ? schema.options : undefined;
  const next = typeof key === "number" ? schema.item : (schema.entries?.[key] ?? schema.value);
  return next && choicesIn(next, deeper);
}
