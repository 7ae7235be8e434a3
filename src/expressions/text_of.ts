import { EngineError } from "../errors.ts";
import { shown } from "../values/mod.ts";

/**
 * A value as text, as variables hold it; `undefined` for `null` and `undefined`.
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
    throw new EngineError(`Cannot use variable "${name ?? ""}": JSON cannot hold ${shown(value)} such as this`, {
      code: "invalid-option",
      path: name === undefined ? ["variables"] : ["variables", name],
      hint: "Give texts, numbers, booleans, lists and plain objects, without circular references and bigints",
      cause,
    });
  }
}
