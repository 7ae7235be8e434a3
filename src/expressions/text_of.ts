import { EngineError } from "../errors.ts";
import { shown } from "../values/mod.ts";

/**
 * A value as variables hold it: text. `undefined` for what is not set.
 *
 * @param name Of the variable, for the error.
 * @throws {EngineError} `invalid-option`, for what JSON cannot hold.
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
