import { isDecimal } from "../../../document/expressions/mod.ts";

/** The constraints on the text of a number. */
export interface NumberSearch {
  /** Numbers that the value is compared with. */
  readonly bounds: readonly string[];
  /** Texts that the value must or must not contain. */
  readonly patterns: readonly string[];
  /** Texts that the value must not equal. */
  readonly excluded: readonly string[];
  /** Only numbers without needless zeros, signs and spaces. */
  readonly canonical: boolean;
}

/** Digits before and after the point, without needless zeros. */
interface Digits {
  readonly whole: string;
  readonly fraction: string;
}

/** Bounds with more digits than this are not searched digit by digit. */
const MOST_DIGITS = 400;
/** Powers of ten that numbers in scientific notation are tried with, besides those that the patterns name. */
const EXPONENTS = [1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6];

/**
 * Finds a number's text that fits, by a search over all texts, shortest first. Texts that every comparison treats alike
 * are followed once: those with the same relation to each bound, the same part of each pattern, and the same excluded
 * texts ahead. So the search ends, and finding none is a proof.
 */
export function numberText(search: NumberSearch, fits: (text: string) => boolean): string | undefined {
  const plain = searchPlain(search, search.bounds, "", fits);
  if (plain !== undefined || search.canonical || search.patterns.length === 0) return plain;
  const named = search.patterns.flatMap((pattern) =>
    [...pattern.matchAll(/[eE]([+-]?\d{1,3})/g)].map((m) => m[1] ?? ""),
  );
  const has = (mark: string) => search.patterns.some((pattern) => pattern.includes(mark));
  const signed = has("+") ? EXPONENTS.filter((each) => each > 0).map((each) => `+${each}`) : [];
  for (const exponent of [...EXPONENTS.map(String), ...signed, ...named])
    for (const letter of has("E") ? ["e", "E"] : ["e"]) {
      const shifted = search.bounds.map((bound) => shift(bound, -Number(exponent)));
      const found = searchPlain(search, shifted, `${letter}${exponent}`, fits);
      if (found !== undefined) return found;
    }
  return undefined;
}

function shift(bound: string, by: number): string {
  const [mantissa = "", exponent = "0"] = bound.trim().split(/e/i);
  return `${mantissa}e${Number(exponent) + by}`;
}

function searchPlain(
  search: NumberSearch,
  bounds: readonly string[],
  suffix: string,
  fits: (text: string) => boolean,
): string | undefined {
  const digits = bounds.map(digitsOf);
  if (digits.some((each) => each === undefined)) return undefined;
  const limits = digits.flatMap((each) => each ?? []);
  const spaces = search.canonical ? [] : [" ", ...new Set(search.patterns.join("").match(/\s/g) ?? [])];
  const longest = Math.max(0, ...limits.map((limit) => limit.whole.length));
  const deepest = Math.max(0, ...limits.map((limit) => limit.fraction.length));
  const seen = new Set<string>();
  let open = [""];
  while (open.length > 0) {
    const next: string[] = [];
    for (const text of open) {
      for (const character of charactersAfter(text, spaces, search.canonical)) {
        const longer = text + character;
        const key = keyOf(longer, { limits, longest, deepest, suffix }, search);
        if (seen.has(key)) continue;
        seen.add(key);
        const whole = longer + suffix;
        if (isDecimal(whole) && (!search.canonical || isCanonicalNumber(whole)) && fits(whole)) return whole;
        next.push(longer);
      }
    }
    open = next;
  }
  return undefined;
}

const DIGITS = [..."0123456789"];

function charactersAfter(text: string, spaces: readonly string[], canonical: boolean): readonly string[] {
  if (text.trim() === "") return [...DIGITS, "-", ...(canonical ? [] : ["+"]), ...spaces];
  if (/\s$/.test(text)) return spaces; // after the number
  if (/[-+.]$/.test(text)) return DIGITS;
  return [...DIGITS, ...(text.includes(".") ? [] : ["."]), ...spaces];
}

/** The numbers that the texts of one search are compared with, and the text after them. */
interface Scope {
  readonly limits: readonly Digits[];
  /** Maximum number of digits of a limit before and after its decimal point. */
  readonly longest: number;
  readonly deepest: number;
  readonly suffix: string;
}

/** The same for texts that no continuation tells apart. Appends to one text: most of a search is spent here. */
function keyOf(text: string, scope: Scope, { patterns, excluded, canonical }: NumberSearch): string {
  const { limits, longest, deepest, suffix } = scope;
  const number = text.trim();
  const sign = number.startsWith("-") ? "-" : number.startsWith("+") ? "+" : "";
  const [whole = "", fraction] = number.slice(sign.length).split(".");
  let zeros = 0;
  while (whole[zeros] === "0") zeros++;
  const significant = whole.slice(zeros);
  let key = `${sign}|${whole === "" ? 0 : 1}|${Math.min(significant.length, longest + 1)}|`;
  if (fraction !== undefined) key += fraction === "" ? "." : `.${Math.min(fraction.length, deepest + 1)}`;
  if (canonical) key += `|${zeros > 0}${fraction?.endsWith("0")}${/[1-9]/.test(number)}`;
  key += number !== "" && /\s$/.test(text) ? "|after" : "|";
  for (const limit of limits) key += `|${compareDigits(significant, fraction, limit)}`;
  for (const pattern of patterns) key += `|${text.includes(pattern) ? "all" : partAtEnd(text, pattern)}`;
  for (const each of excluded) key += `|${each.startsWith(text) && each.endsWith(suffix) ? text : ""}`;
  return key;
}

/** How the digits so far relate to those of a bound in the same places. */
function compareDigits(significant: string, fraction: string | undefined, limit: Digits): number {
  if (fraction !== undefined && significant.length !== limit.whole.length)
    return significant.length < limit.whole.length ? -1 : 1;
  const [mine, theirs] =
    fraction === undefined
      ? [significant.slice(0, limit.whole.length), limit.whole.slice(0, significant.length)]
      : [
          significant + fraction.slice(0, limit.fraction.length),
          limit.whole + limit.fraction.slice(0, fraction.length),
        ];
  if (mine !== theirs) return mine < theirs ? -1 : 1;
  // zeros behind the bound's last digit keep the number equal to it; any other digit makes it greater
  return fraction !== undefined && /[1-9]/.test(fraction.slice(limit.fraction.length)) ? 1 : 0;
}

/** The longest part of a pattern that the text ends with. */
function partAtEnd(text: string, pattern: string): number {
  for (let length = Math.min(text.length, pattern.length); length > 0; length--)
    if (text.endsWith(pattern.slice(0, length))) return length;
  return 0;
}

/** `undefined` for a number with too many digits. */
function digitsOf(bound: string): Digits | undefined {
  const [mantissa = "", exponent = "0"] = bound.trim().replace(/^[-+]/, "").split(/e/i);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const power = Number(exponent);
  if (Math.abs(power) + whole.length + fraction.length > MOST_DIGITS) return undefined;
  const all = "0".repeat(Math.max(0, -power)) + whole + fraction + "0".repeat(Math.max(0, power));
  const point = whole.length + Math.max(0, power);
  return {
    whole: all.slice(0, point).replace(/^0+/, ""),
    fraction: all.slice(point).replace(/0+$/, ""),
  };
}

/** The possible values of a variable. */
export interface ValueFact {
  /** The only texts that it can hold, such as the choices of an enum. Absent: any text of its kind. */
  readonly values?: readonly string[];
  /** `number`: numbers as an extraction stores them, without needless zeros. `text`: any text. */
  readonly kind: "text" | "number";
  /** Whether it may be unset. */
  readonly mayBeUnset: boolean;
}

/** A variable that nothing is known about. */
export const ANY_VALUE: ValueFact = { kind: "text", mayBeUnset: true };

/** A number as an extraction stores it. */
export function isCanonicalNumber(text: string): boolean {
  return /^(?:0|-?(?:[1-9]\d*|0(?=\.))(?:\.\d*[1-9])?)$/.test(text);
}
