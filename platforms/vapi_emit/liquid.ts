import type { EquationClause } from "../../src/graph/mod.ts";
import type { Guard } from "./guard.ts";

/** How the graph's variables are called in Vapi's variable bag. */
export interface VariableNames {
  /** Where a left side is read; `undefined`: Liquid cannot name it, so it is never set. */
  readonly read: (name: string) => string | undefined;
  /** Where a right side is read if a variable of that name is set; `undefined`: it is a literal. */
  readonly readRight: (text: string) => string | undefined;
}

/**
 * A guard as a Liquid condition of a `rejectionPlan`: prints `true`, which vetoes the tool call, exactly when the guard
 * does not hold, and else `false`. Liquid has no parentheses and compares by type, so every comparison is made step by
 * step on texts; names of its own begin with `_cw_`.
 *
 * @see https://docs.vapi.ai/tools/tool-rejection-plan (condition `liquid`)
 */
export function vetoLiquid(guard: Guard, names: VariableNames): string {
  const program = new Program(names);
  const held = program.write(guard);
  return `${program.text()}{% if ${held} %}false{% else %}true{% endif %}`;
}

/** A text as a Liquid string. What could end the string or the tag is escaped as LiquidJS reads it. */
export function liquidText(text: string): string {
  const escaped = text.replace(
    /["'\\{}%\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}

/** What a variable is set to, as a text: the only way to compare values of unknown type. */
const asText = (name: string) => `${name} | append: ""`;

/** A strict decimal number, each run of digits written as one 0. */
const SHAPES = ["", "+", "-"]
  .flatMap((sign) => ["0", "0.0"].map((digits) => sign + digits))
  .flatMap((number) => ["", "e0", "e+0", "e-0"].map((exponent) => number + exponent));
const DIGITS_AS_ZERO = [..."123456789"].map((digit) => ` | replace: "${digit}", "0"`).join("");
/** Each halves the longest run of zeros: enough for more digits than a double can hold. */
const RUNS_AS_ONE = ' | replace: "00", "0"'.repeat(8);

/** Whole numbers of up to so many digits are compared exactly, as texts of one length: account numbers outgrow doubles. */
const DIGITS = 40;
/** A literal of no more characters than this loses nothing as a double, and cannot be mistaken for a longer one. */
const SAFE_LENGTH = 15;
const DECIMAL = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const ZEROS = `"${"0".repeat(DIGITS)}"`;

class Program {
  readonly #names: VariableNames;
  readonly #lines: string[] = [];
  /** The flags of comparisons that have been made: one that several guards share is made once. */
  readonly #known = new Map<string, string>();
  #flags = 0;

  constructor(names: VariableNames) {
    this.#names = names;
  }

  text(): string {
    return this.#lines.join("");
  }

  /** Adds the steps that decide a guard and returns the name that then holds `true` or `false`. */
  write(guard: Guard): string {
    if (guard.kind === "clause") {
      const key = JSON.stringify(guard.clause);
      const flag = this.#known.get(key) ?? this.#flag(this.#clause(guard.clause));
      this.#known.set(key, flag);
      return flag;
    }
    if (guard.kind === "is") {
      const name = this.#names.read(guard.variable);
      return this.#flag(name === undefined ? undefined : `${name} == ${liquidText(guard.value)}`);
    }
    if (guard.kind === "not") return this.#flag(`${this.write(guard.guard)} == false`);
    const flags = guard.guards.map((part) => this.write(part));
    const wanted = guard.kind === "all" ? "true" : "false";
    const result = this.#name();
    this.#lines.push(`{% assign ${result} = ${wanted} %}`);
    for (const flag of flags)
      this.#lines.push(`{% if ${flag} != ${wanted} %}{% assign ${result} = ${flag} %}{% endif %}`);
    return result;
  }

  #copy(name: string): string {
    const copy = this.#name();
    this.#lines.push(`{% assign ${copy} = ${name} %}`);
    return copy;
  }

  #name(): string {
    this.#flags += 1;
    return `_cw_${this.#flags}`;
  }

  /** A name that is true when the Liquid condition holds; `undefined` never does. */
  #flag(condition: string | undefined): string {
    const result = this.#name();
    this.#lines.push(`{% assign ${result} = false %}`);
    if (condition !== undefined) this.#lines.push(`{% if ${condition} %}{% assign ${result} = true %}{% endif %}`);
    return result;
  }

  /** The Liquid condition of one comparison, after the steps it needs. */
  #clause({ left, operator, right }: EquationClause): string | undefined {
    const name = this.#names.read(left);
    if (operator === "not_exist") return name === undefined ? "true" : `${name} == nil`;
    if (name === undefined) return undefined;
    if (operator === "exists") return `${name} != nil`;
    const literal = right === undefined || right === null ? "" : String(right);
    if (operator === "==" || operator === "!=") {
      this.#lines.push(`{% assign _cw_l = ${asText(name)} %}`);
      return `${name} != nil and _cw_l ${operator} ${this.#right(literal)}`;
    }
    if (operator === "contains" || operator === "not_contains") {
      this.#lines.push(`{% assign _cw_l = ${asText(name)} %}{% assign _cw_r = ${this.#right(literal)} %}`);
      const found = this.#flag('_cw_r == ""');
      this.#lines.push(`{% if _cw_l contains _cw_r %}{% assign ${found} = true %}{% endif %}`);
      return `${name} != nil and ${found} == ${operator === "contains"}`;
    }
    return ["<", "<=", ">", ">="].includes(operator) ? this.#order(name, operator, literal) : undefined;
  }

  /** The Liquid condition of a comparison of numbers. */
  #order(name: string, operator: string, literal: string): string | undefined {
    const known = this.#names.readRight(literal) === undefined;
    if (known && !DECIMAL.test(literal.trim())) return undefined;
    this.#lines.push(`{% assign _cw_l = ${asText(name)} | strip %}`);
    if (known && literal.trim().length <= SAFE_LENGTH) {
      const isNumber = this.#isNumber("_cw_l");
      this.#lines.push(`{% assign _cw_l = _cw_l | times: 1 %}{% assign _cw_r = "${literal.trim()}" | times: 1 %}`);
      return `${isNumber} and _cw_l ${operator} _cw_r`;
    }
    this.#lines.push(`{% assign _cw_r = ${this.#right(literal)} | strip %}`);
    const leftNumber = this.#isNumber("_cw_l");
    const leftShape = this.#copy("_cw_s");
    const rightNumber = this.#isNumber("_cw_r");
    this.#lines.push(
      "{% assign _cw_a = _cw_l | size %}{% assign _cw_b = _cw_r | size %}",
      `{% if ${leftShape} == "|0|" and _cw_s == "|0|" and _cw_a <= ${DIGITS} and _cw_b <= ${DIGITS} %}`,
      `{% assign _cw_l = _cw_l | prepend: ${ZEROS} | slice: -${DIGITS}, ${DIGITS} %}`,
      `{% assign _cw_r = _cw_r | prepend: ${ZEROS} | slice: -${DIGITS}, ${DIGITS} %}`,
      "{% else %}{% assign _cw_l = _cw_l | times: 1 %}{% assign _cw_r = _cw_r | times: 1 %}{% endif %}",
    );
    return `${leftNumber} and ${rightNumber} and _cw_l ${operator} _cw_r`;
  }

  /** Liquid for a right side as text: a variable's value if one of that name is set, else the text itself. */
  #right(text: string): string {
    const variable = this.#names.readRight(text);
    if (variable === undefined) return liquidText(text);
    this.#lines.push(
      `{% assign _cw_v = ${liquidText(text)} %}`,
      `{% if ${variable} != nil %}{% assign _cw_v = ${asText(variable)} %}{% endif %}`,
    );
    return "_cw_v";
  }

  /** A name that is true when a text is a decimal number and nothing else. Liquid itself reads "0x10" and "" as numbers. */
  #isNumber(name: string): string {
    this.#lines.push(
      `{% assign _cw_s = ${name} | downcase${DIGITS_AS_ZERO}${RUNS_AS_ONE} | prepend: "|" | append: "|" %}`,
      `{% assign _cw_b = _cw_s | remove: "|" | size | plus: 2 %}{% assign _cw_c = _cw_s | size %}`,
    );
    return this.#flag(`_cw_b == _cw_c and ${liquidText(`|${SHAPES.join("|")}|`)} contains _cw_s`);
  }
}
