import { EngineError } from "../../base/errors.ts";
import { shown } from "../../base/values/mod.ts";

/**
 * Converts a value to the text that variables hold; `undefined` when it is not set.
 *
 * @param name Name of the variable, for the error.
 * @throws {EngineError} `invalid-option` for values that JSON cannot represent.
 */
export function textOf(value: unknown, name?: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  if (typeof value !== "object") return String(value);
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new EngineError(`Cannot use variable "${name ?? ""}": JSON cannot represent ${shown(value)}`, {
      code: "invalid-option",
      path: name === undefined ? ["variables"] : ["variables", name],
      hint: "Pass strings, numbers, booleans, lists and plain objects, without circular references or bigints",
      cause,
    });
  }
}
