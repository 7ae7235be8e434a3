import { isDeepStrictEqual } from "node:util";
import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";
import { hoistRepeated } from "./hoist.ts";
import { CORRECTIONS, type Correction, OPEN_KEYS } from "./vapi_corrections.ts";

/** The root schemas of emitting; all others are reached from these. */
const ROOTS = ["CreateAssistantDTO", "AssistantOverrides", "CreateSquadDTO", "OpenAIFunction", "JsonSchema"];
/** Schemas of which only a few keys are needed, for their limits. */
const PARTS: { readonly [name: string]: readonly string[] } = {
  CreateEvalDTO: ["name"],
  ChatEvalUserMessageMock: ["content"],
  CreateScenarioDTO: ["name", "instructions"],
};
/** Keywords that are copied; `wanted` comes from a correction. */
const LIMITS = ["minimum", "maximum", "minLength", "maxLength", "pattern", "wanted"];

/**
 * Reduces Vapi's OpenAPI document to the part of JSON Schema that `platforms/vapi/api/schema.ts` reads: no descriptions,
 * a union as a map from the value of its discriminator to the schema, schemas under short names.
 *
 * @throws {Error} When a correction changes nothing: it is obsolete.
 */
export function reduceVapi(document: unknown, date: string, corrections = CORRECTIONS): JsonObject {
  const published = corrected(recordAt(recordAt(document, "components"), "schemas"), corrections);
  const schemas: { [name: string]: JsonObject } = {};
  const wanted = [...ROOTS, ...Object.keys(PARTS)];
  const reducer = new Reducer(published, wanted);
  for (const name of wanted) {
    if (Object.hasOwn(schemas, name)) continue;
    const { properties, required, whole } = recordAt(published, name);
    const parts = PARTS[name];
    const fields = Object.entries(isRecord(properties) ? properties : {}).filter(
      ([key]) => parts?.includes(key) ?? true,
    );
    schemas[name] = {
      type: "object",
      ...(fields.length === 0
        ? {}
        : { properties: Object.fromEntries(fields.map(([key, value]) => [key, reducer.reduce(value, key)])) }),
      ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
      ...(whole === true ? { whole } : {}),
    };
  }
  const { version, title } = recordAt(document, "info");
  return { source: title, version, date, models: modelsOf(published), schemas: hoistRepeated(schemas) };
}

/** The names of models by provider. The schemas leave them out, because a document may have newer ones. */
function modelsOf(published: JsonObject): JsonObject {
  const { oneOf } = recordAt(recordAt(recordAt(published, "CreateAssistantDTO"), "properties"), "model");
  const named = (Array.isArray(oneOf) ? oneOf : []).flatMap((each) => {
    const ref = isRecord(each) ? String(each.$ref) : "";
    const properties = recordAt(recordAt(published, ref.slice(ref.lastIndexOf("/") + 1)), "properties");
    const names = choicesOf(properties.model);
    return (names ? choicesOf(properties.provider) : [])?.map((provider) => [provider, names] as const) ?? [];
  });
  return Object.fromEntries(named);
}

/** The published schemas with the corrections applied. */
export function corrected<Published extends JsonObject>(published: Published, corrections: readonly Correction[]) {
  const copy: { [name: string]: JsonObject } = {};
  for (const { schema: name, path, set } of corrections) {
    const before = copy[name] ?? recordAt(published, name);
    const after = patched(before, path ?? [], set);
    const at = [name, ...(path ?? [])].join(".");
    if (Object.keys(before).length === 0) throw new Error(`The correction of ${at} has no schema to correct`);
    if (isDeepStrictEqual(before, after)) throw new Error(`The correction of ${at} changes nothing`);
    copy[name] = after;
  }
  return { ...published, ...copy };
}

function patched(schema: JsonObject, [key, ...rest]: readonly string[], set: JsonObject): JsonObject {
  if (key === undefined) return { ...schema, ...set };
  if (key === "items") return { ...schema, items: patched(recordAt(schema, "items"), rest, set) };
  const properties = recordAt(schema, "properties");
  return { ...schema, properties: { ...properties, [key]: patched(recordAt(properties, key), rest, set) } };
}

class Reducer {
  readonly #published: JsonObject;
  readonly #wanted: string[];

  constructor(published: JsonObject, wanted: string[]) {
    this.#published = published;
    this.#wanted = wanted;
  }

  reduce(value: unknown, key = ""): JsonObject {
    const schema = isRecord(value) ? value : {};
    const { $ref, allOf, type } = schema;
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (OPEN_KEYS.includes(key) && !JSON.stringify(schema).includes('"$ref"')) return {};
    if (typeof $ref === "string") return { $ref: this.#named($ref) };
    if (Array.isArray(allOf)) return this.reduce(allOf[0], key);
    if (Array.isArray(alternatives)) return this.#union(alternatives, schema);
    if (type === "array") return { type, items: this.reduce(schema.items, key) };
    const { additionalProperties: values } = schema;
    if (isRecord(values)) return { type, additionalProperties: this.reduce(values) };
    const choices = Array.isArray(schema.enum) && schema.enum.length > 0 ? { enum: schema.enum } : {};
    // the document declares some texts as objects: "type": "object" beside an enum of texts
    const isTextual = type === "object" && choices.enum?.every((each) => typeof each === "string");
    const kind = isTextual ? "string" : type === "integer" ? "number" : type;
    const limits = LIMITS.filter((name) => schema[name] !== undefined).map((name) => [name, unslashed(schema[name])]);
    return { ...(kind === undefined ? {} : { type: kind }), ...choices, ...Object.fromEntries(limits) };
  }

  #named(ref: string): string {
    const name = ref.slice(ref.lastIndexOf("/") + 1);
    this.#wanted.push(name);
    return name;
  }

  #union(alternatives: readonly unknown[], schema: JsonObject): JsonObject {
    const refs = alternatives.flatMap((each) => (isRecord(each) && typeof each.$ref === "string" ? [each.$ref] : []));
    const others = alternatives
      .filter((each) => isRecord(each) && each.$ref === undefined)
      .map((each) => this.reduce(each));
    const texts = others.filter(({ type }) => type === "string");
    const rest = others.filter(({ type }) => type !== "string");
    // an enum beside any text is only a list of examples
    const isOpen = texts.some((each) => each.enum === undefined);
    const words = texts.flatMap((each) => (Array.isArray(each.enum) ? each.enum : []));
    const text =
      texts.length === 0 ? [] : [isOpen ? { type: "string" } : { type: "string", enum: [...new Set(words)] }];
    const objects =
      refs.length === 0 ? [] : [refs.length === 1 ? { $ref: this.#named(refs[0] ?? "") } : this.#kinds(refs, schema)];
    const all = [...text, ...rest, ...objects];
    return all.length === 1 ? { ...all[0] } : { anyOf: all };
  }

  /** A union of objects as a map from the discriminator's value to the object's name. */
  #kinds(refs: readonly string[], { discriminator }: JsonObject): JsonObject {
    const members = refs.map((ref) => [this.#named(ref), this.#propertiesOf(ref)] as const);
    const named = isRecord(discriminator) ? discriminator.propertyName : undefined;
    const keys = typeof named === "string" ? [named] : Object.keys(members[0]?.[1] ?? {});
    for (const key of keys) {
      const values = members.map(([name, properties]) => [name, choicesOf(properties[key])] as const);
      const known = values.flatMap(([, each]) => each ?? []);
      const open = values.filter(([, each]) => each === undefined);
      if (known.length === 0 || new Set(known).size < known.length || open.length > 1) continue;
      if (open.some(([name]) => !Object.hasOwn(this.#propertiesOf(name), key))) continue;
      const of = Object.fromEntries(values.flatMap(([name, each]) => (each ?? []).map((value) => [value, name])));
      return { kinds: key, of, ...(open[0] ? { else: open[0][0] } : {}) };
    }
    return { anyOf: members.map(([name]) => ({ $ref: name })) };
  }

  #propertiesOf(ref: string): JsonObject {
    return recordAt(recordAt(this.#published, ref.slice(ref.lastIndexOf("/") + 1)), "properties");
  }
}

function choicesOf(property: unknown): readonly string[] | undefined {
  const choices = isRecord(property) ? property.enum : undefined;
  return Array.isArray(choices) && choices.length > 0 ? choices.map(String) : undefined;
}

/** The document writes some patterns between slashes. */
function unslashed(limit: unknown): unknown {
  return typeof limit === "string" ? limit.replace(/^\/(.*)\/[a-z]*$/s, "$1") : limit;
}

function recordAt(value: unknown, key: string): JsonObject {
  const found = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isRecord(found) ? found : {};
}
