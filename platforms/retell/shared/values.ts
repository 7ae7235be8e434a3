import type { JsonObject } from "../../../src/base/values/mod.ts";

export const isString = (value: unknown): value is string => typeof value === "string";

/** Whether a value is neither absent nor an empty string. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Converts a value to text: texts are unchanged, other values become JSON. */
export function asText(value: unknown): string {
  return isString(value) ? value : (JSON.stringify(value) ?? "null");
}

/** Converts the values of dynamic variables to text. */
export function textVariables(variables: JsonObject): { [name: string]: string } {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, asText(value)]));
}
