import type { Path } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, matchItems, omit, sameJson, setAt } from "../../../src/base/values/mod.ts";
import type { VariableExtraction } from "../../../src/document/graph/mod.ts";

/** Places of a node's variables in all generations and in Vapi's guides, as a list or as a JSON schema. */
const LISTS: readonly Path[] = [["variableExtractionPlan", "output"], ["extractVariables"], ["output"]];
const SCHEMAS: readonly Path[] = [["variableExtractionPlan", "schema"], ["output"], ["extractVariables"]];

/** Reads the variables that a node extracts. */
export function readVariables(raw: JsonObject): readonly VariableExtraction[] {
  const list = listAt(raw);
  if (list) return list.items.flatMap((item) => readItem(item) ?? []);
  const properties = schemaAt(raw)?.properties ?? {};
  return Object.entries(properties).map(([name, schema]) => variable(name, isRecord(schema) ? schema : {}));
}

/** Writes variables into the node's list or schema, else into a new list. */
export function writeVariables(variables: readonly VariableExtraction[], raw: JsonObject): JsonObject {
  const list = listAt(raw);
  const schema = list ? undefined : schemaAt(raw);
  const known = list ? list.items.filter((item) => readItem(item)) : Object.values(schema?.properties ?? {});
  const before = matchItems(readVariables(raw), variables, ["name"]).map((match) => known[match ?? -1]);
  if (schema) {
    const entries = variables.map((each, index) => [each.name, withSettings(before[index], each)] as const);
    return setAt(raw, [...schema.at, "properties"], Object.fromEntries(entries));
  }
  if (!list && variables.length === 0) return raw;
  const items = variables.map((wanted, index) => {
    const isName = typeof before[index] === "string" && sameJson(readItem(wanted.name), wanted);
    return isName ? wanted.name : { title: wanted.name, ...withSettings(before[index], wanted) };
  });
  return setAt(raw, list?.at ?? ["variableExtractionPlan", "output"], items);
}

function listAt(raw: JsonObject): { readonly at: Path; readonly items: readonly unknown[] } | undefined {
  for (const at of LISTS) {
    const items = getAt(raw, at);
    if (Array.isArray(items)) return { at, items };
  }
  return undefined;
}

function schemaAt(raw: JsonObject): { readonly at: Path; readonly properties: JsonObject } | undefined {
  for (const at of SCHEMAS) {
    const properties = getAt(raw, [...at, "properties"]);
    if (isRecord(properties)) return { at, properties };
  }
  return undefined;
}

function readItem(item: unknown): VariableExtraction | undefined {
  if (typeof item === "string") return variable(item, {});
  if (!isRecord(item)) return undefined;
  const name = [item.title, item.name, item.key].find((text) => typeof text === "string" && text !== "");
  return typeof name === "string" ? variable(name, item) : undefined;
}

function variable(name: string, schema: JsonObject): VariableExtraction {
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((choice) => typeof choice === "string") : [];
  const type = typeof schema.type === "string" ? schema.type : "string";
  return {
    name,
    description: typeof schema.description === "string" ? schema.description : "",
    type: choices.length > 0 ? "enum" : type,
    ...(choices.length > 0 ? { choices } : {}),
  };
}

/** Writes a variable's schema and keeps its other keys. */
function withSettings(before: unknown, { description, type, choices }: Omit<VariableExtraction, "name">): JsonObject {
  const kept = isRecord(before) ? before : {};
  return {
    ...omit(kept, ["title", "description", "enum"]),
    type: type === "enum" ? (kept.type ?? "string") : type,
    ...(description ? { description } : {}),
    ...(choices ? { enum: [...choices] } : {}),
  };
}
