import { isRecord } from "../../src/base/values/mod.ts";
import { array, type Code, name, object } from "./code.ts";
import { propertyKey, stringCode } from "./text_code.ts";

/** A JSON value, or `undefined`, as code. */
export function valueCode(value: unknown): Code {
  if (typeof value === "string") return stringCode(value);
  if (typeof value === "number") return { kind: "atom", text: numberText(value), is: "number" };
  if (Array.isArray(value)) return array(value.map(valueCode));
  if (isRecord(value)) {
    return object(Object.entries(value).map(([key, item]) => ({ key: propertyKey(key), value: valueCode(item) })));
  }
  return name(String(value));
}

/** Formats a number like formatters do. */
function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value).replace("e+", "e");
}
