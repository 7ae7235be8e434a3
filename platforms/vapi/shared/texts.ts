import type { Path } from "../../../src/base/errors.ts";
import { dropAt, getAt, type JsonObject, setAt } from "../../../src/base/values/mod.ts";

/** Whether a value is a non-empty string. Empty strings stay in the platform's settings. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Returns the first place at which a record has a text or a blank. */
export function textPlace(record: JsonObject, places: readonly Path[]): Path | undefined {
  return places.find((place) => typeof getAt(record, place) === "string");
}

/** Removes the first text at one of the places and leaves a blank. Empty texts at the other places are removed. */
export function takeText(
  record: JsonObject,
  places: readonly Path[],
): { readonly text?: string; readonly rest: JsonObject } {
  const at = places.find((place) => isText(getAt(record, place)));
  const text = at && getAt(record, at);
  const rest = places.filter((place) => getAt(record, place) === "").reduce(dropAt, record);
  return at && isText(text) ? { text, rest: setAt(rest, at, "") } : { rest };
}
