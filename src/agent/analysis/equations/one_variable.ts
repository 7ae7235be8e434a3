import { compareValues, isDecimal } from "../../../document/expressions/mod.ts";
import { numbersAround } from "./exact_numbers.ts";
import { numberText } from "./number_texts.ts";
import { isCanonicalNumber, type ValueFact } from "./value_fact.ts";

/** A comparison of one variable with a text. */
export interface Limit {
  readonly operator: string;
  readonly right: string;
  readonly holds: boolean;
}

/** A value that fits; `undefined` inside it means that the variable is not set. */
export interface Value {
  readonly text: string | undefined;
}

/** Whether a value satisfies every comparison. */
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
  const quick = plainNumbers(limits).find(allowed);
  if (quick !== undefined) return quick;
  if (excludeNumbers(limits)) return kind === "text" ? wordFor(limits, fits) : undefined;
  const numbers = numbersAround(limits.map(({ right }) => right).filter(isDecimal));
  const near = numbers && [...numbers, ...(numbers.length === 0 ? ["0", "1"] : [])];
  const found =
    near?.find(allowed) ??
    (kind === "text" ? near?.flatMap((text) => respelled(text, limits)).find(allowed) : undefined);
  const word = found ?? (kind === "text" ? wordFor(limits, fits) : undefined);
  // without demanded or unwanted parts, every kind of number has been tried
  const isDecided = near && !limits.some(({ operator }) => /contains$/.test(operator));
  return word ?? (isDecided ? undefined : anyNumber(limits, kind === "number", fits));
}

/** Numbers at and beside those of the limits, in floating point: most limits are met by one of them. */
function plainNumbers(limits: readonly Limit[]): readonly string[] {
  return limits.flatMap(({ right }) => {
    const number = isDecimal(right) ? Number(right) : Number.NaN;
    return Number.isFinite(number) ? [number, number - 1, number + 1].map(String) : [];
  });
}

/** Digits that floating point keeps apart. */
const SAFE_DIGITS = 15;

/** Whether no number is within the bounds that limits set. `false` also where the bounds are too long to tell here. */
function excludeNumbers(limits: readonly Limit[]): boolean {
  let [low, high, isOpen] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, false];
  for (const { operator, right, holds } of limits) {
    if (!isOrder(operator) || !isDecimal(right)) continue;
    if (right.length > SAFE_DIGITS || /e/i.test(right)) return false;
    const bound = Number(right);
    const isLow = operator.startsWith(">") === holds;
    const isStrict = operator.endsWith("=") !== holds;
    if (isLow ? bound >= low : bound <= high) {
      if (isLow) low = bound;
      else high = bound;
    }
    if (low === high && isStrict && bound === low) isOpen = true;
  }
  return low > high || (low === high && isOpen);
}

/** Other texts of the same number, more than the limits can exclude. */
function respelled(text: string, limits: readonly Limit[]): readonly string[] {
  const sign = /^-/.exec(text)?.[0] ?? "";
  return limits.map((_, index) => sign + "0".repeat(index + 1) + text.slice(sign.length));
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
