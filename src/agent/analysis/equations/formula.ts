import {
  bareName,
  clauseVariables,
  compareValues,
  fillRight,
  isDecimal,
  rightOf,
} from "../../../document/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../document/graph/mod.ts";
import { isCanonicalNumber, numberText, type ValueFact } from "./number_texts.ts";

/** A comparison that must hold, or must not hold. */
export interface ClauseLiteral {
  readonly clause: EquationClause;
  readonly holds: boolean;
}

/** A conjunction of disjunctions: each group needs at least one comparison with the wanted outcome. */
export type Formula = readonly (readonly ClauseLiteral[])[];

/** The comparisons that must be true, or false, for an equation condition to be true. */
export function holding({ equations, logical_operator }: TransitionCondition): Formula {
  const literals = (equations ?? []).map((clause) => ({ clause, holds: true }));
  if (literals.length === 0) return [[]]; // a condition without equations never holds
  return logical_operator === "or" ? [literals] : literals.map((literal) => [literal]);
}

/** The comparisons that must be true, or false, for an equation condition to be false. */
export function failing({ equations, logical_operator }: TransitionCondition): Formula {
  const literals = (equations ?? []).map((clause) => ({ clause, holds: false }));
  if (literals.length === 0) return [];
  return logical_operator === "or" ? literals.map((literal) => [literal]) : [literals];
}

/** The variable on the left of a comparison. */
export function leftOf({ left }: EquationClause): string {
  return bareName(left);
}

/** Operators that compare the two sides. Any other operator is never true, whatever the right side is. */
const COMPARING = new Set<string>(["==", "!=", ">", ">=", "<", "<=", "contains", "not_contains"]);

/** Whether the right side of a comparison matters. */
export function comparesSides({ operator }: EquationClause): boolean {
  return COMPARING.has(operator);
}

/** The variables that decide a comparison, the left side first. */
export function comparedVariables(clause: EquationClause): readonly string[] {
  return comparesSides(clause) ? clauseVariables(clause) : [leftOf(clause)];
}

/** Whether a comparison fills a variable into a longer text: `{{plan}}-2`. */
export function isTemplate(clause: EquationClause): boolean {
  const { names, variable } = rightOf(clause);
  return variable === undefined && names.length > 0 && comparesSides(clause);
}

/** Texts to fill into one right side; more make searches slow and find little. */
const MOST_FILLED = 3;

/**
 * Texts that comparisons with longer texts tell apart: `no-7` for `no-{{id}}` where `7` is known, and `7` where `no-7`
 * is known.
 */
export function templateTexts(clauses: readonly EquationClause[], texts: readonly string[]): readonly string[] {
  const templates = clauses.filter(isTemplate).map((clause) => rightOf(clause).text);
  return templates.flatMap((template) => {
    const [start = "", ...rest] = template.split(/\{\{[^{}]*\}\}/);
    const end = rest.at(-1) ?? "";
    const parts = texts.flatMap((text) => {
      const isFilled = text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
      return isFilled ? [text.slice(start.length, text.length - end.length)] : [];
    });
    return [...parts, ...texts.slice(0, MOST_FILLED).map((text) => fillRight(template, () => text))];
  });
}

/** Every variable on the left of a formula's comparisons. */
export function lefts(formula: Formula): ReadonlySet<string> {
  return new Set(formula.flat().map(({ clause }) => leftOf(clause)));
}

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
function fitsAll(limits: readonly Limit[], text: string | undefined): boolean {
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

/** Numbers with more digits than this are not written out. */
const MOST_DIGITS = 20_000;

/**
 * Sample numbers around the given ones, one for every way to compare with them: each number, the number plus and minus
 * one, and one number between each two neighbours. Exact decimals without needless zeros.
 *
 * @returns `undefined` when a number has too many digits.
 */
export function numbersAround(points: readonly string[]): readonly string[] | undefined {
  const parsed = points.map(parse);
  if (parsed.some((each) => each === undefined)) return undefined;
  const known = parsed.flatMap((each) => each ?? []);
  // with one digit more, there is a number between any two
  const scale = 1 + Math.max(0, ...known.map(({ decimals }) => decimals));
  const values = known.map(({ digits, decimals }) => digits * 10n ** BigInt(scale - decimals));
  const sorted = [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const one = 10n ** BigInt(scale);
  const around = sorted.flatMap((value, index) => {
    const next = sorted[index + 1];
    return [value, value + one, value - one, ...(next === undefined ? [] : [(value + next) / 2n])];
  });
  return [...new Set(around)].map((value) => spelled(value, scale));
}

function parse(text: string): { readonly digits: bigint; readonly decimals: number } | undefined {
  const [mantissa = "", exponent = "0"] = text.trim().split(/e/i);
  const [whole = "", fraction = ""] = mantissa.replace(/^\+/, "").split(".");
  const power = Number(exponent) - fraction.length;
  if (Math.abs(Number(exponent)) + whole.length + fraction.length > MOST_DIGITS) return undefined;
  const digits = BigInt(whole + fraction);
  return power < 0 ? { digits, decimals: -power } : { digits: digits * 10n ** BigInt(power), decimals: 0 };
}

function spelled(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}${fraction === "" ? "" : `.${fraction}`}`;
}
