import { isRecord, type JsonObject, own } from "../../../base/values/mod.ts";
import type { HistoryLine } from "../signature.ts";
import type { ArgumentsInput } from "../signatures/mod.ts";
import { findValue } from "./extract.ts";
import { sharedStems, stems } from "./words.ts";

interface Known {
  readonly variables: { readonly [name: string]: string };
  readonly history: readonly HistoryLine[];
}

/** Fills a tool's arguments from variables and the caller's words; unknown ones are omitted. */
export function fillArguments({ tool, variables, conversation_history: history }: ArgumentsInput): JsonObject {
  return fillObject(tool.parameters, { variables, history });
}

/** Whether all required arguments are present. */
export function isFilled(parameters: JsonObject, args: JsonObject): boolean {
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  return required.every((name) => typeof name === "string" && Object.hasOwn(args, name));
}

function fillObject(schema: JsonObject, known: Known): JsonObject {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const value = isRecord(property) ? fillValue(name, property, known) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function fillValue(name: string, schema: JsonObject, known: Known): unknown {
  if (schema.const !== undefined) return schema.const;
  const type = Array.isArray(schema.type) ? schema.type.find((item) => item !== "null") : schema.type;
  if (type === "object") {
    const value = fillObject(schema, known);
    return Object.keys(value).length > 0 ? value : undefined;
  }
  if (type === "array") {
    const item = fillValue(name, isRecord(schema.items) ? schema.items : {}, known);
    return item === undefined ? schema.default : [item];
  }
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((item) => item !== null).map(String) : [];
  const description = typeof schema.description === "string" ? schema.description : "";
  const wanted = { name, description, choices, type: type === "integer" ? "number" : String(type ?? "string") };
  const found = variableFor(name, known.variables) ?? findValue(wanted, known.history) ?? undefined;
  return found === undefined ? schema.default : converted(found, wanted.type, schema);
}

/** The variable of the same name, else the only one whose name has the same words. */
function variableFor(name: string, variables: Known["variables"]): string | undefined {
  const same = own(variables, name);
  if (same !== undefined) return same;
  const words = distinctWords(name);
  const alike = Object.keys(variables).filter((candidate) => {
    const others = distinctWords(candidate);
    return words.size > 0 && words.size === others.size && sharedStems(words, others).length === words.size;
  });
  return alike.length === 1 && alike[0] !== undefined ? own(variables, alike[0]) : undefined;
}

/** The words of a name without those that all ids share: `orderId` and `order_number` are the same. */
function distinctWords(name: string): ReadonlySet<string> {
  const text = name.replaceAll(/[_-]/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return stems(text.replaceAll(/\b(?:id|no|number|code|reference|ref)\b/gi, "identifier"));
}

function converted(value: string | number | boolean, type: string, schema: JsonObject): unknown {
  const choice = Array.isArray(schema.enum) ? schema.enum.find((item) => String(item) === String(value)) : undefined;
  if (choice !== undefined) return choice;
  if (type === "number") {
    const number = Number(value);
    return Number.isFinite(number) ? number : undefined;
  }
  if (type === "boolean") return value === true || value === "true";
  return String(value);
}
