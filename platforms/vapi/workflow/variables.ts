import type { VariableExtraction } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, sameJson } from "../../../src/values/mod.ts";
import { getAt, type JsonPath, setAt } from "../shared/mod.ts";

/** Where a node says what is to be extracted: lists of four years, schemas of two, and what the guides wrote. */
const LISTS: readonly JsonPath[] = [["variableExtractionPlan", "output"], ["extractVariables"], ["output"]];
const SCHEMAS: readonly JsonPath[] = [["variableExtractionPlan", "schema"], ["output"], ["extractVariables"]];

/** The variables that a node extracts, in the graph's words. */
export function readVariables(raw: JsonObject): readonly VariableExtraction[] {
  const list = listAt(raw);
  if (list) return list.items.flatMap((item) => readItem(item) ?? []);
  const properties = schemaAt(raw)?.properties ?? {};
  return Object.entries(properties).map(([name, schema]) => variable(name, isRecord(schema) ? schema : {}));
}

/** Puts variables back in the spelling in which they were read: only those that differ. */
export function writeVariables(variables: readonly VariableExtraction[], raw: JsonObject): JsonObject {
  if (sameJson(readVariables(raw), variables)) return raw;
  const list = listAt(raw);
  if (list || !schemaAt(raw)) {
    const items = variables.map((wanted) => {
      const before = list?.items.find((item) => readItem(item)?.name === wanted.name);
      if (before !== undefined && sameJson(readItem(before), wanted)) return before;
      return isRecord(before) ? changed(before, wanted) : itemOf(wanted);
    });
    return setAt(raw, list?.at ?? ["variableExtractionPlan", "output"], items);
  }
  const schema = schemaAt(raw);
  const properties = variables.map((wanted) => {
    const before = schema?.properties[wanted.name];
    if (isRecord(before) && sameJson(variable(wanted.name, before), wanted)) return [wanted.name, before] as const;
    return [wanted.name, changed(isRecord(before) ? before : {}, wanted)] as const;
  });
  return setAt(raw, [...(schema?.at ?? []), "properties"], Object.fromEntries(properties));
}

function listAt(raw: JsonObject): { readonly at: JsonPath; readonly items: readonly unknown[] } | undefined {
  for (const at of LISTS) {
    const items = getAt(raw, at);
    if (Array.isArray(items)) return { at, items };
  }
  return undefined;
}

function schemaAt(raw: JsonObject): { readonly at: JsonPath; readonly properties: JsonObject } | undefined {
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

/** An item with only what differs written anew. */
function changed(before: JsonObject, wanted: VariableExtraction): JsonObject {
  const was = variable(wanted.name, before);
  const { title: _named, ...item } = itemOf(wanted);
  const same = (key: "description" | "type" | "choices") => sameJson(was[key] ?? [], wanted[key] ?? []);
  return {
    ...before,
    ...(same("description") ? {} : { description: wanted.description }),
    ...(same("type") || before.type === item.type ? {} : { type: item.type }),
    ...(same("choices") ? {} : { enum: [...(wanted.choices ?? [])] }),
  };
}

function itemOf({ name, description, type, choices }: VariableExtraction): JsonObject {
  return {
    title: name,
    type: type === "enum" ? "string" : type,
    ...(description ? { description } : {}),
    ...(choices ? { enum: [...choices] } : {}),
  };
}
