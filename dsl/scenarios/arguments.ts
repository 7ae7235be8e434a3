import { ScenarioError } from "../../src/base/errors.ts";

/** Throws for an expectation without arguments, which would always pass. */
export function some<Item>(method: string, items: readonly Item[]): readonly Item[] {
  if (items.length === 0) throw nothingGiven(method);
  return items;
}

/** Throws for blank texts, which would always pass. */
export function filled<Item>(method: string, items: readonly Item[]): readonly Item[] {
  const isBlank = (item: Item) => item === undefined || (typeof item === "string" && item.trim() === "");
  if (items.some(isBlank)) throw nothingGiven(method);
  return some(method, items);
}

/** Throws for a missing argument: as an absent key of a document it would expect nothing. */
export function given<Value>(method: string, value: Value): Value {
  if (value === undefined || value === null) throw nothingGiven(method);
  return value;
}

/** The error of a missing argument. */
export function nothingGiven(method: string): ScenarioError {
  return new ScenarioError(`Cannot add to a scenario: .${method}() has no arguments`, {
    code: "invalid-option",
    path: [method],
    hint: `Pass .${method}() at least one value`,
  });
}

/** The source of a pattern; that of a regular expression as RE2 writes it. */
export function patternSource(pattern: string | RegExp): string {
  return pattern instanceof RegExp ? sourceOf(pattern) : pattern;
}

/** A regular expression as RE2 writes it: flags at the start. */
function sourceOf({ source, flags }: RegExp): string {
  const kept = [...flags].filter((flag) => "ims".includes(flag)).join("");
  return `re2:${kept === "" ? "" : `(?${kept})`}${source}`;
}
