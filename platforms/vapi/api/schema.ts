import { madeOnce, own } from "../../../src/base/values/mod.ts";
import { VAPI_API } from "../generated/mod.ts";

/** Schema of a value in Vapi's document: the JSON Schema keywords that it uses, and three of our own. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: "string" | "number" | "boolean" | "array" | "object";
  readonly properties?: { readonly [key: string]: Schema };
  /** Schema of every value of an object with free keys. */
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
  /** Key that selects the schema in `of`; `else` applies to other values. */
  readonly kinds?: string;
  readonly of?: { readonly [value: string]: string };
  readonly else?: string;
  /** Whether the value must be kept whole or removed, because a part of it would have another meaning. */
  readonly whole?: boolean;
  /** The pattern in words. */
  readonly wanted?: string;
}

/** Vapi's published document, reduced by `npm run update-platforms`. */
interface Api {
  readonly source: string;
  readonly version: string;
  readonly date: string;
  /** Names of models by provider; a provider that accepts any name has none. */
  readonly models: { readonly [provider: string]: readonly string[] };
  readonly schemas: { readonly [name: string]: Schema };
}

const api: () => Api = madeOnce(() => JSON.parse(VAPI_API) as Api); // written by the script that this type describes

/** The day of Vapi's published document. */
export const publishedOn = (): string => api().date;

/**
 * Returns a schema by its name in Vapi's document.
 *
 * @throws {TypeError} If the name is unknown, which is a bug.
 */
export function schemaNamed(name: string): Schema {
  const found = own(api().schemas, name);
  if (!found) throw new TypeError(`Vapi's document has no schema "${name}"`);
  return found;
}

/** Returns a schema with its reference resolved. */
export function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolved(schemaNamed(schema.$ref));
}

/** Returns the published names of models by provider. */
export const modelNames = (): Api["models"] => api().models;

/** Returns the schema at a path of keys; `items` stands for the items of a list. */
export function schemaAt(name: string, ...path: readonly string[]): Schema {
  let schema = resolved(schemaNamed(name));
  for (const key of path) schema = resolved((key === "items" ? schema.items : own(schema.properties ?? {}, key)) ?? {});
  return schema;
}

/** Returns the keys that a schema defines. */
export const keysOf = (name: string): readonly string[] => Object.keys(schemaNamed(name).properties ?? {});

/** Returns the texts that Vapi accepts at a path; empty if it accepts any text. */
export function choicesAt(name: string, ...path: readonly string[]): readonly string[] {
  return (schemaAt(name, ...path).enum ?? []).filter((each) => typeof each === "string");
}
