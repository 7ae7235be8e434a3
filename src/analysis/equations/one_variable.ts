import { compareDecimals, compareValues, isDecimal } from "../../expressions/mod.ts";
import { numberText } from "./number_texts.ts";
import { isCanonicalNumber, type ValueFact } from "./value_fact.ts";

/** A comparison of one variable with a text. */
export interface Limit {
  readonly operator: string;
  readonly right: string;
  readonly holds: boolean;
}

/** A value that fits; `undefined` within it: the variable is not set. */
export interface Value {
  readonly text: string | undefined;
}

/** Whether a value is as every comparison wants it. */
export function fitsAll(limits: readonly Limit[], text: string | undefined): boolean {
  return limits.every(({ operator, right, holds }) => compareValues(operator, text, right) === holds);
}

/**
 * Finds a value for one variable. Every kind of value is tried: the listed values, or a text that an equation demands,
 * a number in each interval, a text that is no number, and no value. So finding none is a proof that there is none.
 */
export function valueFor(limits: readonly Limit[], fact: ValueFact): Value | undefined {
  const fits = (text: string | undefined) => fitsAll(limits, text);
  const found = setValue(limits, fact, fits);
  if (found !== undefined) return { text: found };
  return fact.mayBeUnset && fits(undefined) ? { text: undefined } : undefined;
}

function setValue(
  limits: readonly Limit[],
  { values, kind }: ValueFact,
  fits: (text: string) => boolean,
): string | undefined {
  if (limits.some(({ operator, holds }) => operator === (holds ? "not_exist" : "exists"))) return undefined;
  if (values) return values.find(fits);
  const allowed = (text: string) => (kind === "text" || isCanonicalNumber(text)) && fits(text);
  const equal = limits.find(({ operator, holds }) => (operator === "==" && holds) || (operator === "!=" && !holds));
  if (equal) return allowed(equal.right) ? equal.right : undefined;
  const ordered = limits.some(({ operator, right }) => isOrder(operator) && isDecimal(right));
  if (kind === "text" && !ordered) return wordFor(limits, fits);
  const near = nearNumbers(limits).find(allowed);
  if (near !== undefined) return near;
  const word = kind === "text" ? wordFor(limits, fits) : undefined;
  return word ?? anyNumber(limits, kind === "number", fits);
}

function anyNumber(limits: readonly Limit[], canonical: boolean, fits: (text: string) => boolean): string | undefined {
  const rights = (wanted: (limit: Limit) => boolean) => limits.filter(wanted).map(({ right }) => right);
  const search = {
    bounds: rights(({ operator, right }) => isOrder(operator) && isDecimal(right)),
    patterns: rights(({ operator }) => operator === "contains" || operator === "not_contains"),
    excluded: rights(({ operator }) => operator === "==" || operator === "!="),
    canonical,
  };
  return numberText(search, fits);
}

/** Numbers at, beside and between those that the value is compared with: what a person would name first. */
function nearNumbers(limits: readonly Limit[]): readonly string[] {
  const sorted = limits
    .filter(({ right }) => isDecimal(right))
    .map(({ right }) => right.trim())
    .sort((a, b) => compareDecimals(a, b) ?? 0);
  const numbers = sorted.map(Number).filter(Number.isFinite);
  const beside = numbers.flatMap((each, index) => {
    const next = numbers[index + 1];
    return [each, each - 1, each + 1, ...(next === undefined ? [] : [(each + next) / 2])];
  });
  return [...beside.map(String), ...sorted, "0", "1"];
}

/**
 * A text that is no number: the demanded parts with a letter between them that no unwanted part has. An unwanted part
 * then occurs only where it is within a demanded one, so if this text does not fit, none does.
 */
function wordFor(limits: readonly Limit[], fits: (text: string) => boolean): string | undefined {
  const parts = limits
    .filter(({ operator, holds }) => operator === (holds ? "contains" : "not_contains"))
    .map(({ right }) => right);
  const letter = letterOutside(limits.map(({ right }) => right).join(""));
  const first = parts.length === 1 ? (parts[0] ?? "") : parts.join(letter);
  for (let count = 0; count <= limits.length + 1; count++) {
    const text = first + letter.repeat(count);
    if (text !== "" && fits(text)) return text;
  }
  return fits("") ? "" : undefined;
}

function letterOutside(text: string): string {
  for (const letter of "xyzabcdefghijklmnopqrstuvw") if (!text.includes(letter)) return letter;
  let code = 0x100;
  while (text.includes(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
}

function isOrder(operator: string): boolean {
  return operator === ">" || operator === ">=" || operator === "<" || operator === "<=";
}
