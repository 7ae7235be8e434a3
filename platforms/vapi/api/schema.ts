import { own } from "../../../src/values/mod.ts";
import { once } from "../../once.ts";
import { VAPI_API } from "../generated/mod.ts";

/** What Vapi says of a value: the part of JSON Schema that its document uses, and three words of our own. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: "string" | "number" | "boolean" | "array" | "object";
  readonly properties?: { readonly [key: string]: Schema };
  /** The schema of every value of an object whose keys are free. */
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  /** The key that says which schema of `of` holds; `else` holds for values that `of` does not have. */
  readonly kinds?: string;
  readonly of?: { readonly [value: string]: string };
  readonly else?: string;
  /** The value means something else when a part of it is left out: it stays whole, or not at all. */
  readonly whole?: boolean;
  /** The pattern in words. */
  readonly wanted?: string;
}

/** Vapi's published document, reduced by `npm run update-platforms`. */
interface Api {
  readonly source: string;
  readonly version: string;
  readonly date: string;
  readonly schemas: { readonly [name: string]: Schema };
}

const api = once(() => JSON.parse(VAPI_API) as Api); // written by the script that this type describes

/**
 * A schema by the name that Vapi's document gives it.
 *
 * @throws {TypeError} When there is none, which is a mistake of ours.
 */
export function schemaNamed(name: string): Schema {
  const found = own(api().schemas, name);
  if (!found) throw new TypeError(`Vapi's document has no schema "${name}"`);
  return found;
}

/** A schema with the names in it looked up. */
export function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolved(schemaNamed(schema.$ref));
}

/** The schema of what stands at a path: keys, and `items` for a list's items. */
export function schemaAt(name: string, ...path: readonly string[]): Schema {
  let schema = resolved(schemaNamed(name));
  for (const key of path) schema = resolved((key === "items" ? schema.items : own(schema.properties ?? {}, key)) ?? {});
  return schema;
}

/** The keys of an object that Vapi knows by name. */
export const keysOf = (name: string): readonly string[] => Object.keys(schemaNamed(name).properties ?? {});

/** The texts that Vapi takes at a path; none: any text. */
export function choicesAt(name: string, ...path: readonly string[]): readonly string[] {
  return (schemaAt(name, ...path).enum ?? []).filter((each) => typeof each === "string");
}
