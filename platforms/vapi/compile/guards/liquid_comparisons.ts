import type { EquationClause } from "../../../../src/graph/mod.ts";
import { liquidText } from "../../shared/mod.ts";
import type { VariableNames } from "../text/mod.ts";
import { type Form, HOLDS, type Literal, NEVER, negated, presenceKey } from "./guard_form.ts";
import { numberSteps } from "./liquid_numbers.ts";

/** Writes literals, and gathers the steps that must come before them. */
export interface Scribe {
  readonly write: (literal: Literal) => string;
  readonly prelude: () => string;
}

/** The comparisons of one guard. */
export interface Comparisons {
  readonly clause: (clause: EquationClause) => Form;
  /** Whether one of the emitter's own variables has a value. */
  readonly is: (variable: string, value: string) => Form;
  readonly scribe: () => Scribe;
}

/** How a literal is written, either way, after steps that are made once. */
interface Writing {
  readonly steps: readonly string[];
  readonly held: string;
  readonly missed: string;
}

/** A number as Liquid reads it, no longer than what a double holds exactly. */
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;
const SAFE_LENGTH = 15;
/** Texts that a number or a boolean reads as, too: a variable's type matters. */
const TYPED_TEXT = /^[+-]?[\d.]|^(true|false|null|Infinity|-Infinity|NaN|)$/;
const ORDERS: { readonly [operator: string]: (left: number, right: number) => boolean } = {
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};
const OPPOSITE: { readonly [operator: string]: string } = { "<": ">=", "<=": ">", ">": "<=", ">=": "<" };

/** Comparisons of variables by the names that they have in Vapi. Values compare as text, as in the graph. */
export function createComparisons(names: VariableNames): Comparisons {
  const writings = new Map<string, Writing>();
  const flags = new Map<string, string>();
  const copies = new Map<string, string>();
  const copyOf = (name: string, form: string) => {
    const key = `${form} ${name}`;
    const copy = copies.get(key) ?? `_cw_${form}${copies.size + 1}`;
    copies.set(key, copy);
    return copy;
  };
  const literal = (key: string, writing: Writing, more: Partial<Literal> = {}): Literal => {
    writings.set(key, writing);
    return { kind: "literal", key, holds: true, ...more };
  };
  const flagged = (key: string, steps: (flag: string) => readonly string[]): Literal => {
    const flag = flags.get(key) ?? `_cw_${flags.size + 1}`;
    flags.set(key, flag);
    const start = `{% assign ${flag} = false %}`;
    return literal(key, { steps: [[start, ...steps(flag)].join("")], held: flag, missed: `${flag} == false` });
  };
  const when = (test: string, flag: string) => `{% if ${test} %}{% assign ${flag} = true %}{% endif %}`;

  /** Whether a variable is set; an empty text from a tool is none. */
  const isSet = (left: string, name: string): Literal => {
    const { type, mayBeEmpty } = names.kindOf(left);
    const key = presenceKey(name);
    if (!mayBeEmpty) return literal(key, plain(`${name} != nil`, `${name} == nil`), { variable: name });
    if (type !== "boolean" && type !== "unknown")
      return literal(key, plain(`${name} != blank`, `${name} == blank`), { variable: name });
    return { ...flagged(key, (flag) => [when(`${name} != nil and ${name} != ""`, flag)]), variable: name };
  };
  /** A variable's value as a text, and the step that makes it one. */
  const textOf = (left: string, name: string): { readonly text: string; readonly steps: readonly string[] } => {
    if (names.kindOf(left).type === "text") return { text: name, steps: [] };
    const text = copyOf(name, "t");
    return { text, steps: [`{% assign ${text} = ${name} | append: "" %}`] };
  };
  const equals = (left: string, name: string, wanted: string): Form => {
    // a variable that is not set reads as "", too
    const more = wanted === "" ? {} : { variable: name, equals: wanted };
    const key = `is ${name} ${wanted}`;
    const value = liquidText(wanted);
    if (!TYPED_TEXT.test(wanted)) return literal(key, plain(`${name} == ${value}`, `${name} != ${value}`), more);
    const { text, steps } = textOf(left, name);
    const same = literal(key, { steps, held: `${text} == ${value}`, missed: `${text} != ${value}` }, more);
    return wanted === "" ? { kind: "all", parts: [isSet(left, name), same] } : same;
  };
  /** A right side that may be a variable's value: steps that set a name to it. */
  const rightSteps = (text: string, variable: string, target: string): string => {
    const value = `{% assign ${target} = ${liquidText(text)} %}`;
    const { mayBeEmpty } = names.kindOf(text);
    const set = mayBeEmpty ? `${variable} != nil and ${variable} != ""` : `${variable} != nil`;
    return `${value}{% if ${set} %}{% assign ${target} = ${variable} | append: "" %}{% endif %}`;
  };

  const clause = ({ left, operator, right }: EquationClause): Form => {
    const name = names.read(left);
    if (name === undefined) return operator === "not_exist" ? HOLDS : NEVER;
    if (operator === "exists") return isSet(left, name);
    if (operator === "not_exist") return negated(isSet(left, name));
    const text = right === undefined || right === null ? "" : String(right);
    const variable = names.readRight(text, left);
    const key = `${operator} ${name} ${text}`;
    const set = isSet(left, name);
    const both = (other: Form): Form => ({ kind: "all", parts: [set, other] });
    if (operator === "==" || operator === "!=") {
      const same = (): Form => {
        if (variable === undefined) return equals(left, name, text);
        const own = textOf(left, name);
        const steps = [...own.steps, rightSteps(text, variable, "_cw_v")];
        return flagged(`= ${name} ${text}`, (flag) => [...steps, when(`${own.text} == _cw_v`, flag)]);
      };
      if (operator === "!=") return both(negated(same()));
      return variable === undefined ? same() : both(same());
    }
    if (operator === "contains" || operator === "not_contains") {
      const own = textOf(left, name);
      const found = flagged(`contains ${name} ${text}`, (flag) => [
        ...own.steps,
        variable === undefined ? `{% assign _cw_v = ${liquidText(text)} %}` : rightSteps(text, variable, "_cw_v"),
        when(`_cw_v == ""`, flag),
        when(`${own.text} contains _cw_v`, flag),
      ]);
      return both(operator === "contains" ? found : negated(found));
    }
    const order = ORDERS[operator];
    if (!order) return NEVER;
    const number = text.trim();
    if (names.kindOf(left).type === "number" && variable === undefined && isShort(number)) {
      const own = copyOf(name, "n");
      const steps = [`{% assign ${own} = ${name} | times: 1 %}`];
      const writing = { steps, held: `${own} ${operator} ${number}`, missed: `${own} ${OPPOSITE[operator]} ${number}` };
      const compared = literal(key, writing);
      return order(0, Number(number)) ? both(compared) : compared; // what is not set counts as 0
    }
    const numbers = numberSteps(name, operator, text, variable, (target) => rightSteps(text, variable ?? "", target));
    return numbers ? flagged(key, (flag) => [numbers.steps, when(numbers.test, flag)]) : NEVER;
  };

  return {
    clause,
    is: (variable, value) => {
      const name = names.read(variable);
      if (name === undefined) return NEVER;
      const written = liquidText(value);
      const more = { variable: name, equals: value };
      return literal(`is ${name} ${value}`, plain(`${name} == ${written}`, `${name} != ${written}`), more);
    },
    scribe: () => {
      const steps = new Set<string>();
      return {
        write: ({ key, holds }) => {
          const writing = writings.get(key);
          if (!writing) throw new TypeError(`no comparison "${key}"`);
          for (const step of writing.steps) steps.add(step);
          return holds ? writing.held : writing.missed;
        },
        prelude: () => [...steps].join(""),
      };
    },
  };
}

function plain(held: string, missed: string): Writing {
  return { steps: [], held, missed };
}

function isShort(number: string): boolean {
  return PLAIN_NUMBER.test(number) && number.length <= SAFE_LENGTH;
}
