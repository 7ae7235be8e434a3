import { EngineError } from "../../base/errors.ts";
import { checkOptions, isRecord, OPTION, own, rule, shown } from "../../base/values/mod.ts";
import { type EquationClause, isUnary, type TransitionCondition } from "../graph/mod.ts";
import { PLATFORM_VARIABLE_PREFIXES, PLATFORM_VARIABLES } from "./generated/mod.ts";

/**
 * Describes an equation condition with the values of its variables: `balance < {{limit}} (balance = "-3", limit = "0")`.
 */
export function equationText(
  { equations, logical_operator }: TransitionCondition,
  variables: { readonly [name: string]: unknown },
): string {
  if (!equations || equations.length === 0) return "an equation without clauses";
  const values = new Map<string, string>();
  const clauses = equations.map((clause) => {
    for (const name of clauseVariables(clause)) values.set(name, valueText(own(variables, name)));
    return clauseText(clause);
  });
  const known = [...values].map(([name, value]) => `${name} ${value}`).join(", ");
  return `${clauses.join(logical_operator === "or" ? " or " : " and ")} (${known})`;
}

function valueText(value: unknown): string {
  const text = textOf(value);
  return text === undefined ? "is not set" : `= ${shown(text)}`;
}

/** Puts a value in quotes. */
type Quote = (value: string) => string;

/**
 * Formats an equation as in code: `balance < 0`, `balance < {{limit}}`, `topic == "repair"`, `day exists`.
 *
 * @param quote Default: long values are shortened.
 */
export function clauseText(clause: EquationClause, quote: Quote = shown): string {
  const compared = `${bareName(clause.left)} ${clause.operator}`;
  if (isUnary(clause.operator)) return compared;
  const { text, variable } = rightOf(clause);
  const isBare = variable !== undefined || /^-?\d+(?:\.\d+)?$/.test(text);
  return `${compared} ${isBare ? text : quote(text)}`;
}

/** Formats the equations of a condition: `balance < 0 and vip == "true"`. */
export function clausesText({ equations, logical_operator }: TransitionCondition, quote: Quote = shown): string {
  const joint = logical_operator === "or" ? " or " : " and ";
  return (equations ?? []).map((clause) => clauseText(clause, quote)).join(joint);
}

const OPERATOR_WORDS: ReadonlyMap<string, string> = new Map([
  ["==", "is"],
  ["!=", "is not"],
  [">", "is more than"],
  [">=", "is at least"],
  ["<", "is less than"],
  ["<=", "is at most"],
  ["contains", "contains"],
  ["not_contains", "does not contain"],
]);

/** An equation clause as a sentence for a model: `{{age}} is at least 18`, `{{age}} is known`. */
export function clauseWords(left: string, operator: string, right: string): string {
  if (operator === "exists") return `${left} is known`;
  if (operator === "not_exist") return `${left} is not known`;
  return `${left} ${OPERATOR_WORDS.get(operator) ?? operator} ${right}`;
}

/** An equation condition as a sentence for a model, with placeholders to fill: `{{age}} is at least "18"`. */
export function equationWords({ equations, logical_operator }: TransitionCondition): string {
  const clauses = (equations ?? []).map(({ left, operator, right }) =>
    clauseWords(`{{${left}}}`, operator, JSON.stringify(textOf(right) ?? "")),
  );
  return clauses.join(logical_operator === "or" ? " or " : " and ");
}

const RULES = {
  clause: rule(
    "an equation { left, operator, right? }",
    (value) => isRecord(value) && typeof value.left === "string" && typeof value.operator === "string",
  ),
  variables: OPTION.object,
};

/**
 * Whether an equation is true. Values are compared as texts, except by `>`, `>=`, `<` and `<=`, which compare decimal
 * numbers and are false unless both sides are numbers. `{{name}}` in the right side is filled as in a prompt; without
 * placeholders it is a literal, also where a variable has that name. If the left side is not set, only `not_exist` is
 * true.
 *
 * @throws {EngineError} `invalid-option`.
 */
export function evaluateEquation(clause: EquationClause, variables: { readonly [name: string]: unknown }): boolean {
  checkOptions(
    { clause: clause ?? null, variables: variables ?? null },
    RULES,
    EngineError,
    "Cannot evaluate equation",
  );
  return isTrue(clause, variables);
}

/** {@link evaluateEquation} without validation of its arguments, which takes as long as the evaluation. */
function isTrue(clause: EquationClause, variables: { readonly [name: string]: unknown }): boolean {
  const left = textOf(own(variables, bareName(clause.left)), bareName(clause.left));
  const right = fillRight(textOf(clause.right) ?? "", (name) => textOf(own(variables, name), name));
  return compareValues(clause.operator, left, right);
}

/**
 * Whether an operator holds between two values, as {@link evaluateEquation} compares them.
 *
 * @param left `undefined`: not set.
 */
export function compareValues(operator: string, left: string | undefined, right: string): boolean {
  if (operator === "exists") return left !== undefined;
  if (operator === "not_exist") return left === undefined;
  if (left === undefined) return false;
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "contains":
      return left.includes(right);
    case "not_contains":
      return !left.includes(right);
    default:
      return ordered(operator, compareDecimals(left, right));
  }
}

/** Whether an equation condition is true: all of its equations, or any with `or`. It is false without equations. */
export function equationHolds(
  condition: TransitionCondition,
  variables: { readonly [name: string]: unknown },
): boolean {
  return evaluateClauses(condition, variables).holds;
}

/**
 * Evaluates an equation condition, as {@link equationHolds} does.
 *
 * @returns `clauses`: the values of its clauses in order, up to the one that decided the condition.
 */
export function evaluateClauses(
  { equations, logical_operator }: TransitionCondition,
  variables: { readonly [name: string]: unknown },
): { readonly holds: boolean; readonly clauses: readonly boolean[] } {
  const decides = logical_operator === "or";
  const clauses: boolean[] = [];
  for (const clause of equations ?? []) {
    const value = isTrue(clause, variables);
    clauses.push(value);
    if (value === decides) return { holds: decides, clauses };
  }
  return { holds: clauses.length > 0 && !decides, clauses };
}

function ordered(operator: string, comparison: number | undefined): boolean {
  if (comparison === undefined) return false;
  if (operator === ">") return comparison > 0;
  if (operator === ">=") return comparison >= 0;
  if (operator === "<") return comparison < 0;
  return operator === "<=" && comparison <= 0;
}

/** The right side of an equation: text in which `{{name}}` is filled as in a prompt. */
export interface FilledSide {
  /** The text as written, which placeholders of unset variables stay in. */
  readonly text: string;
  /** The variables of its placeholders, each once. Empty for a literal, also where a variable has that name. */
  readonly names: readonly string[];
  /** The variable whose value it is: `plan` for `{{plan}}`, absent for `{{plan}}-2`. */
  readonly variable?: string;
}

/** Reads the right side of an equation. */
export function rightOf({ operator, right }: EquationClause): FilledSide {
  const text = textOf(right) ?? "";
  if (isUnary(operator) || !text.includes("{{")) return { text, names: [] };
  const names = [...new Set(placeholderContents(text))];
  const [only] = names;
  const isAlone = /^\{\{[^{}]*\}\}$/.test(text);
  return { text, names, ...(isAlone && only !== undefined ? { variable: only } : {}) };
}

/** The variables that an equation reads: its left side, then those in its right side. */
export function clauseVariables(clause: EquationClause): readonly string[] {
  return [...new Set([bareName(clause.left), ...rightOf(clause).names])];
}

/** Splits a right side at its placeholders: text, and the variable whose placeholder it is. At least one part. */
export function rightParts(text: string): readonly (readonly [text: string, name?: string])[] {
  const parts = text.split(/(\{\{[^{}]*\}\})/).map((part, index): readonly [string, string?] => {
    return index % 2 === 1 ? [part, part.slice(2, -2).trim()] : [part];
  });
  return parts.length === 1 ? parts : parts.filter(([part]) => part !== "");
}

/**
 * Fills the placeholders of a right side.
 *
 * @param filledBy Returns the value of a variable; `undefined` when it is not set, so that its placeholder stays.
 */
export function fillRight(text: string, filledBy: (name: string) => string | undefined): string {
  return text.includes("{{") ? replacePlaceholders(text, filledBy) : text;
}

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

/** A decimal number: sign, digits without leading zeros, and power of ten of the first digit. */
interface Decimal {
  readonly sign: -1 | 0 | 1;
  readonly digits: string;
  readonly magnitude: number;
}

/**
 * Compares two texts as decimal numbers, exactly: floats could not tell account numbers of 20 digits apart.
 *
 * @returns Less than, equal to or greater than 0; `undefined` unless both are numbers (optional sign, digits, optional
 *   fraction and exponent, surrounding spaces).
 */
export function compareDecimals(a: string, b: string): number | undefined {
  const [left, right] = [readDecimal(a), readDecimal(b)];
  if (!left || !right) return undefined;
  if (left.sign !== right.sign || left.sign === 0) return left.sign - right.sign;
  if (left.magnitude !== right.magnitude) return left.sign * (left.magnitude - right.magnitude);
  if (left.digits === right.digits) return 0;
  const length = Math.max(left.digits.length, right.digits.length);
  return left.digits.padEnd(length, "0") < right.digits.padEnd(length, "0") ? -left.sign : left.sign;
}

/** Whether a text is a decimal number for {@link compareDecimals}. */
export function isDecimal(text: string): boolean {
  return readDecimal(text) !== undefined;
}

function readDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text.trim());
  if (!match) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const all = whole + fraction;
  const leading = all.length - all.replace(/^0+/, "").length;
  const digits = withoutTrailingZeros(all.slice(leading));
  if (digits === "") return { sign: 0, digits, magnitude: 0 };
  return { sign: sign === "-" ? -1 : 1, digits, magnitude: whole.length - leading + Number(exponent) };
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

/** Removes braces around a variable's name: `plan` for `plan` and `{{ plan }}`. */
export function bareName(side: string): string {
  return /^\{\{([^{}]*)\}\}$/.exec(side.trim())?.[1]?.trim() ?? side;
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Replaces `{{placeholders}}` in one pass: placeholders inside a value are not replaced again.
 *
 * @param textOf Returns the replacement for the content of a placeholder, or `undefined` to keep it.
 */
export function replacePlaceholders(
  text: string,
  textOf: (inner: string, placeholder: string) => string | undefined,
): string {
  return text.replace(PLACEHOLDER, (placeholder, inner: string) => textOf(inner.trim(), placeholder) ?? placeholder);
}

/** Returns the placeholders of a text as written: `{{ customer.name | upcase }}`. */
export function writtenPlaceholders(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([written]) => written);
}

/** Returns the contents of a text's placeholders: `customer.name | upcase`. */
export function placeholderContents(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, inner = ""]) => inner.trim());
}

/** Returns the name in a placeholder's content, without filters: `customer.name` for `customer.name | upcase`. */
export function placeholderName(content: string): string {
  return (content.split("|")[0] ?? "").trim();
}

/** Returns the variable that a name starts with: `customer` for `customer.name`. */
export function rootName(name: string): string {
  return name.split(".")[0] ?? "";
}

/**
 * Returns the distinct variable names in a text's placeholders: `customer.name` for `{{ customer.name | upcase }}`.
 * Quoted literals and platform variables are left out.
 */
export function placeholdersIn(text: string): readonly string[] {
  const names = placeholderContents(text).flatMap((written) => {
    if (isPlatformVariable(written)) return [];
    const name = placeholderName(written);
    return /^["']/.test(name) || isPlatformVariable(rootName(name)) ? [] : [name];
  });
  return [...new Set(names)];
}

/**
 * Whether a placeholder's name is known: the name itself, or the object it starts with (`customer` in `customer.name`).
 */
export function isKnownPlaceholder(name: string, known: { readonly has: (name: string) => boolean }): boolean {
  return known.has(name) || known.has(rootName(name));
}

/** Name of a variable that platforms set in every call. */
export type PlatformVariable =
  | (typeof PLATFORM_VARIABLES)[number]
  | `${(typeof PLATFORM_VARIABLE_PREFIXES)[number]}${string}`;

const names: ReadonlySet<string> = new Set(PLATFORM_VARIABLES);

/** Whether platforms set a variable with this name in every call. */
export function isPlatformVariable(name: string): boolean {
  return names.has(name) || PLATFORM_VARIABLE_PREFIXES.some((prefix) => name.startsWith(prefix));
}
