import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";

/** Minimum JSON length of a subschema that gets a name. */
const WORTH_A_NAME = 150;

/** Names each long subschema that occurs more than once after the first key that it is under. */
export function hoistRepeated(schemas: { readonly [name: string]: JsonObject }): JsonObject {
  const counts = new Map<string, number>();
  for (const schema of Object.values(schemas)) visit(schema, (text) => counts.set(text, (counts.get(text) ?? 0) + 1));
  const names = new Map<string, string>();
  const taken = new Set(Object.keys(schemas));
  const hoisted: { [name: string]: unknown } = {};
  const replace = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => replace(item, key));
    if (!isRecord(value)) return value;
    const text = JSON.stringify(value);
    if (!isSchema(value) || (counts.get(text) ?? 0) < 2) return within(value, key);
    const known = names.get(text);
    if (known !== undefined) return { $ref: known };
    let name = key;
    for (let index = 2; taken.has(name); index++) name = `${key}${index}`;
    taken.add(name);
    names.set(text, name);
    hoisted[name] = {};
    hoisted[name] = within(value, key);
    return { $ref: name };
  };
  const within = (value: JsonObject, key: string) =>
    Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        replace(part, name === "items" || name === "anyOf" ? key : name),
      ]),
    );
  const kept = Object.entries(schemas).map(([name, schema]) => [name, within(schema, name)] as const);
  return { ...Object.fromEntries(kept), ...hoisted };
}

function visit(value: unknown, found: (text: string) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, found);
  if (!isRecord(value)) return;
  const text = JSON.stringify(value);
  if (isSchema(value) && text.length >= WORTH_A_NAME) found(text);
  for (const part of Object.values(value)) visit(part, found);
}

/** Whether an object is a schema, rather than a map of properties: it has `type`, `kinds` or `anyOf`. */
function isSchema({ type, kinds, anyOf }: JsonObject): boolean {
  return typeof type === "string" || typeof kinds === "string" || Array.isArray(anyOf);
}
