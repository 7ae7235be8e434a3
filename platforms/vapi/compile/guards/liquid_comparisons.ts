import { compareValues, rightOf, rightParts } from "../../../../src/document/expressions/mod.ts";
import type { EquationClause } from "../../../../src/document/graph/mod.ts";
import type { Guard } from "../../../lower/mod.ts";
import { liquidText } from "../../shared/mod.ts";
import type { VariableTable } from "../text/mod.ts";
import { type Form, HOLDS, type Literal, NEVER, negated, presenceKey } from "./guard_form.ts";
import { numberSteps, SAFE_LENGTH } from "./liquid_numbers.ts";

/** A number that is also a Liquid literal. */
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;
/** Texts that look like a number or boolean, so that the variable has to be converted to a text first. */
const TYPED_TEXT = /^[+-]?[\d.]|^(true|false|null|Infinity|-Infinity|NaN|)$/;
const OPPOSITE: { readonly [operator: string]: string } = { "<": ">=", "<=": ">", ">": "<=", ">=": "<" };

const literal = (key: string, liquid: Literal["liquid"], value: Partial<Literal> = {}): Literal => ({
  kind: "literal",
  key,
  holds: true,
  liquid,
  ...value,
});

const plain = (held: string, missed: string) => ({ steps: [], held, missed });
const assign = (name: string, value: string) => `{% assign ${name} = ${value} %}`;
const when = (test: string, flag: string) => `{% if ${test} %}${assign(flag, "true")}{% endif %}`;
const both = (first: Form, second: Form): Form => ({ kind: "all", parts: [first, second] });

/** Tests whether a variable equals a text. `steps` may convert the variable to `text` first. */
const hasText = (name: string, value: string, text = name, steps: readonly string[] = []): Literal => {
  const liquid = { steps, held: `${text} == ${liquidText(value)}`, missed: `${text} != ${liquidText(value)}` };
  // an unset variable also equals ""
  return literal(`is ${name} ${value}`, liquid, value === "" ? {} : { variable: name, equals: value });
};

/** Returns a function that assigns a numbered name to each key. */
function counted(): (key: string, prefix: string) => string {
  const names = new Map<string, string>();
  return (key, prefix) => {
    const name = names.get(key) ?? `${prefix}${names.size + 1}`;
    names.set(key, name);
    return name;
  };
}

/**
 * Converts a guard to a form with literals in Liquid, with Vapi's names of variables. Values are compared as text, as
 * in the graph.
 */
export function guardForm(guard: Guard, names: VariableTable): Form {
  const [flagOf, copyOf] = [counted(), counted()];
  const flagged = (key: string, steps: (flag: string) => readonly string[], value: Partial<Literal> = {}): Literal => {
    const flag = flagOf(key, "_cw_");
    const written = [assign(flag, "false"), ...steps(flag)].join("");
    return literal(key, { steps: [written], held: flag, missed: `${flag} == false` }, value);
  };

  /** Tests whether a variable is set. An empty text from a tool counts as not set. */
  const isSet = (left: string, name: string): Literal => {
    const { type, mayBeEmpty } = names.kindOf(left);
    const key = presenceKey(name);
    if (mayBeEmpty && (type === "boolean" || type === "unknown"))
      return flagged(key, (flag) => [when(`${name} != nil and ${name} != ""`, flag)], { variable: name });
    const none = mayBeEmpty ? "blank" : "nil";
    return literal(key, plain(`${name} != ${none}`, `${name} == ${none}`), { variable: name });
  };
  /** Returns the name of a variable's text value, and the steps that convert it. */
  const textOf = (left: string, name: string): { readonly text: string; readonly steps: readonly string[] } => {
    if (names.kindOf(left).type === "text") return { text: name, steps: [] };
    const text = copyOf(`t ${name}`, "_cw_t");
    return { text, steps: [assign(text, `${name} | append: ""`)] };
  };
  const equals = (left: string, name: string, wanted: string): Form => {
    const { text, steps } = TYPED_TEXT.test(wanted) ? textOf(left, name) : { text: name, steps: [] };
    const same = hasText(name, wanted, text, steps);
    return wanted === "" ? both(isSet(left, name), same) : same;
  };
  /** Returns steps that assign a filled right side to a name; the placeholder of an unset variable stays. */
  const rightSteps = (text: string, target: string): string =>
    rightParts(text)
      .map(([part, name], index) => {
        const [to, variable] = [index === 0 ? target : "_cw_p", name === undefined ? undefined : names.read(name)];
        const set = `${variable} != nil${names.kindOf(name ?? "").mayBeEmpty ? ` and ${variable} != ""` : ""}`;
        const filled =
          variable === undefined ? "" : `{% if ${set} %}${assign(to, `${variable} | append: ""`)}{% endif %}`;
        return assign(to, liquidText(part)) + filled + (index === 0 ? "" : assign(target, `${target} | append: _cw_p`));
      })
      .join("");

  const clause = (equation: EquationClause): Form => {
    const { left, operator } = equation;
    const name = names.read(left);
    if (name === undefined) return operator === "not_exist" ? HOLDS : NEVER;
    const set = isSet(left, name);
    if (operator === "exists") return set;
    if (operator === "not_exist") return negated(set);
    const { text, names: filled } = rightOf(equation);
    const isLiteral = filled.every((each) => names.read(each) === undefined);
    const compared = (key: string, tests: (text: string) => readonly string[]): Form => {
      const own = textOf(left, name);
      const steps = [...own.steps, rightSteps(text, "_cw_v")];
      return flagged(key, (flag) => [...steps, ...tests(own.text).map((test) => when(test, flag))]);
    };
    if (operator === "==" || operator === "!=") {
      const same = isLiteral ? equals(left, name, text) : compared(`= ${name} ${text}`, (own) => [`${own} == _cw_v`]);
      if (operator === "!=") return both(set, negated(same));
      return isLiteral ? same : both(set, same);
    }
    if (operator === "contains" || operator === "not_contains") {
      const found = compared(`contains ${name} ${text}`, (own) => [`_cw_v == ""`, `${own} contains _cw_v`]);
      return both(set, operator === "contains" ? found : negated(found));
    }
    const opposite = OPPOSITE[operator];
    if (!opposite) return NEVER;
    const key = `${operator} ${name} ${text}`;
    const number = text.trim();
    const isShort = PLAIN_NUMBER.test(number) && number.length <= SAFE_LENGTH;
    if (names.kindOf(left).type === "number" && isLiteral && isShort) {
      const own = copyOf(`n ${name}`, "_cw_n");
      const steps = [assign(own, `${name} | times: 1`)];
      const held = `${own} ${operator} ${number}`;
      const known = literal(key, { steps, held, missed: `${own} ${opposite} ${number}` });
      return compareValues(operator, "0", number) ? both(set, known) : known; // Liquid treats an unset variable as 0
    }
    const numbers = numberSteps(name, operator, text, isLiteral, (target) => rightSteps(text, target));
    return numbers ? flagged(key, (flag) => [numbers.steps, when(numbers.test, flag)]) : NEVER;
  };

  const formOf = (part: Guard): Form => {
    if (part.kind === "clause") return clause(part.clause);
    if (part.kind === "not") return negated(formOf(part.guard));
    if (part.kind === "is") {
      const name = names.read(part.variable);
      return name === undefined ? NEVER : hasText(name, part.value);
    }
    if (part.guards.length === 0) return part.kind === "all" ? HOLDS : NEVER;
    return { kind: part.kind, parts: part.guards.map(formOf) };
  };
  return formOf(guard);
}
