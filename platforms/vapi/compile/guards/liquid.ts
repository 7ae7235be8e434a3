import { compareValues, rightOf, rightParts } from "../../../../src/document/expressions/mod.ts";
import type { EquationClause } from "../../../../src/document/graph/mod.ts";
import type { Guard } from "../../../lower/mod.ts";
import { liquidText } from "../../shared/mod.ts";
import type { VariableTable } from "../text/mod.ts";

/**
 * Writes a guard as the Liquid condition of a `rejectionPlan`: it prints `true`, which rejects the tool call, if the
 * guard does not hold, else `false`. Liquid has no parentheses, so a tag cannot mix `and` and `or`. Variables of the
 * condition start with `_cw_`.
 *
 * @see https://docs.vapi.ai/tools/tool-rejection-plan (condition `liquid`)
 */
export function vetoLiquid(guard: Guard, names: VariableTable): string {
  const form = simplified(guardForm(guard, names));
  const [shortest] = writings(form).toSorted((a, b) => a.length - b.length);
  return shortest ?? withFlags(form);
}

/** Writes the condition from the form and from its negation, unless they have too many groups. */
function writings(form: Form): readonly string[] {
  return [true, false].flatMap((met) => {
    const groups = groupsOf(met ? form : negated(form));
    if (!groups) return [];
    if (groups.some((group) => group.length === 0)) return [`${!met}`];
    if (groups.length === 0) return [`${met}`];
    const steps = new Set<string>();
    const tests = groups.map((group) => group.map((literal) => testOf(literal, steps)).join(" and "));
    const branches = groups.every((group) => group.length === 1)
      ? `{% if ${tests.join(" or ")} %}${!met}`
      : tests.map((test, index) => `{% ${index === 0 ? "if" : "elsif"} ${test} %}${!met}`).join("");
    return [`${[...steps].join("")}${branches}{% else %}${met}{% endif %}`];
  });
}

/** Writes the condition for a form with too many groups: each part sets a flag. */
function withFlags(form: Form): string {
  const steps = new Set<string>();
  const lines: string[] = [];
  let count = 0;
  const write = (part: Form): string => {
    const flag = `_cw_f${++count}`;
    if (part.kind === "literal") {
      const test = testOf(part, steps);
      lines.push(`{% assign ${flag} = false %}{% if ${test} %}{% assign ${flag} = true %}{% endif %}`);
      return flag;
    }
    const wanted = part.kind === "all" ? "true" : "false";
    const flags = part.parts.map(write);
    lines.push(`{% assign ${flag} = ${wanted} %}`);
    for (const each of flags) lines.push(`{% if ${each} != ${wanted} %}{% assign ${flag} = ${each} %}{% endif %}`);
    return flag;
  };
  const held = write(form);
  return `${[...steps].join("")}${lines.join("")}{% if ${held} %}false{% else %}true{% endif %}`;
}

/** Returns the test of a literal, and adds its steps. */
function testOf({ liquid, holds }: Literal, steps: Set<string>): string {
  for (const step of liquid.steps) steps.add(step);
  return holds ? liquid.held : liquid.missed;
}

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
function guardForm(guard: Guard, names: VariableTable): Form {
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

/** Shapes of decimal numbers, with each run of digits replaced by one 0. */
const SHAPES = ["", "+", "-"]
  .flatMap((sign) => ["0", "0.0"].map((digits) => sign + digits))
  .flatMap((number) => ["", "e0", "e+0", "e-0"].map((exponent) => number + exponent));
const DIGITS_AS_ZERO = [..."123456789"].map((digit) => ` | replace: "${digit}", "0"`).join("");
/** Each replacement halves the runs of zeros; eight are enough for more digits than a double has. */
const RUNS_AS_ONE = ' | replace: "00", "0"'.repeat(8);

/** Maximum digits of whole numbers that are compared exactly, as padded texts: account numbers exceed doubles. */
const DIGITS = 40;
/** Maximum length of a literal that a double represents exactly. */
const SAFE_LENGTH = 15;
const DECIMAL = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const ZEROS = `"${"0".repeat(DIGITS)}"`;

/**
 * Compares values that may not be numbers: results of tools, and variables that a call is given. Liquid converts
 * "0x10", "" and "seven" to numbers, so the shape of the value is checked first.
 *
 * @param isLiteral Whether the right side has no variable in it.
 * @param rightSteps Returns steps that assign the right side to a name.
 * @returns The steps and the test; `undefined` if the right side cannot be a number.
 */
function numberSteps(
  name: string,
  operator: string,
  right: string,
  isLiteral: boolean,
  rightSteps: (target: string) => string,
): { readonly steps: string; readonly test: string } | undefined {
  const literal = right.trim();
  if (isLiteral && !DECIMAL.test(literal)) return undefined;
  const left = `{% assign _cw_l = ${name} | append: "" | strip %}${shapeOf("_cw_l", "_cw_x")}`;
  if (isLiteral && literal.length <= SAFE_LENGTH) {
    const numbers = `{% assign _cw_l = _cw_l | times: 1 %}{% assign _cw_r = "${literal}" | times: 1 %}`;
    return { steps: `${left}${numbers}`, test: `_cw_x == true and _cw_l ${operator} _cw_r` };
  }
  return {
    steps: [
      `${left}{% assign _cw_z = _cw_s %}`,
      `${rightSteps("_cw_r")}{% assign _cw_r = _cw_r | strip %}${shapeOf("_cw_r", "_cw_y")}`,
      "{% assign _cw_a = _cw_l | size %}{% assign _cw_b = _cw_r | size %}",
      `{% if _cw_z == "|0|" and _cw_s == "|0|" and _cw_a <= ${DIGITS} and _cw_b <= ${DIGITS} %}`,
      `{% assign _cw_l = _cw_l | prepend: ${ZEROS} | slice: -${DIGITS}, ${DIGITS} %}`,
      `{% assign _cw_r = _cw_r | prepend: ${ZEROS} | slice: -${DIGITS}, ${DIGITS} %}`,
      "{% else %}{% assign _cw_l = _cw_l | times: 1 %}{% assign _cw_r = _cw_r | times: 1 %}{% endif %}",
    ].join(""),
    test: `_cw_x == true and _cw_y == true and _cw_l ${operator} _cw_r`,
  };
}

/** Returns steps that set a flag if a text is a decimal number. */
function shapeOf(text: string, flag: string): string {
  return [
    `{% assign _cw_s = ${text} | downcase${DIGITS_AS_ZERO}${RUNS_AS_ONE} | prepend: "|" | append: "|" %}`,
    `{% assign _cw_b = _cw_s | remove: "|" | size | plus: 2 %}{% assign _cw_c = _cw_s | size %}`,
    `{% assign ${flag} = false %}`,
    `{% if _cw_b == _cw_c and ${liquidText(`|${SHAPES.join("|")}|`)} contains _cw_s %}{% assign ${flag} = true %}{% endif %}`,
  ].join("");
}

/**
 * A comparison in a guard. Literals with the same `key` are the same comparison. `variable` and `equals` are set if the
 * comparison with one value excludes all other values.
 */
export interface Literal {
  readonly kind: "literal";
  readonly key: string;
  readonly holds: boolean;
  readonly variable?: string;
  readonly equals?: string;
  /** Liquid: steps that several literals can share, and the tests for the comparison and its opposite. */
  readonly liquid: { readonly steps: readonly string[]; readonly held: string; readonly missed: string };
}

/** A guard in negation normal form: only literals are negated. */
export type Form = Literal | { readonly kind: "all" | "any"; readonly parts: readonly Form[] };

/** Always holds. */
const HOLDS: Form = { kind: "all", parts: [] };
/** Never holds. */
const NEVER: Form = { kind: "any", parts: [] };

/** Maximum number of groups in disjunctive normal form. */
const MAX_GROUPS = 24;

/** Negates a form. */
function negated(form: Form): Form {
  if (form.kind === "literal") return { ...form, holds: !form.holds };
  return { kind: form.kind === "all" ? "any" : "all", parts: form.parts.map(negated) };
}

/** Removes duplicate parts, and parts that follow from others. */
function simplified(form: Form, known: readonly Literal[] = []): Form {
  if (form.kind === "literal") {
    const decided = decidedBy(form, known);
    return decided === undefined ? form : decided ? HOLDS : NEVER;
  }
  const isAll = form.kind === "all";
  // in an "any", a part matters only if the others do not hold
  const given = (fact: Literal) => (isAll ? fact : { ...fact, holds: !fact.holds });
  let parts = form.parts;
  for (let pass = 0; pass < 3; pass++) {
    const done: Form[] = [];
    for (const [index, part] of parts.entries()) {
      const others = part.kind === "literal" ? done : [...done, ...parts.slice(index + 1)];
      const next = simplified(part, [...known, ...others.filter(isLiteral).map(given)]);
      if (next.kind !== "literal" && next.kind !== form.kind && next.parts.length === 0) return next;
      if (next.kind !== "literal" && (next.kind === form.kind || next.parts.length === 1)) done.push(...next.parts);
      else done.push(next);
    }
    const isSettled = done.length === parts.length && done.every((part, index) => part === parts[index]);
    parts = done;
    if (isSettled) break;
  }
  // remove comparisons that follow from another one
  const literals = parts.filter(isLiteral);
  const kept = parts.filter(
    (part) =>
      !isLiteral(part) ||
      literals.every((other) => other.key === part.key || decidedBy(part, [given(other)]) !== isAll),
  );
  return kept.length === 1 && kept[0] ? kept[0] : { kind: form.kind, parts: kept };
}

const isLiteral = (form: Form): form is Literal => form.kind === "literal";

/** Returns the result of a literal if known literals determine it. */
function decidedBy(literal: Literal, known: readonly Literal[]): boolean | undefined {
  for (const fact of known) {
    if (fact.key === literal.key) return fact.holds === literal.holds;
    if (!fact.holds || fact.equals === undefined || fact.variable !== literal.variable) continue;
    if (literal.equals !== undefined && literal.equals !== fact.equals) return !literal.holds;
    if (literal.key === presenceKey(fact.variable)) return literal.holds;
  }
  return undefined;
}

/** Returns the key of the literal that tests whether a variable is set. */
function presenceKey(variable: string | undefined): string {
  return `set ${variable}`;
}

/** Converts a form to groups of literals (disjunctive normal form); `undefined` if there are too many. */
function groupsOf(form: Form): readonly (readonly Literal[])[] | undefined {
  if (form.kind === "literal") return [[form]];
  let groups: readonly (readonly Literal[])[] = form.kind === "any" ? [] : [[]];
  for (const part of form.parts.map(groupsOf)) {
    if (!part) return undefined;
    groups =
      form.kind === "any" ? [...groups, ...part] : groups.flatMap((left) => part.map((right) => [...left, ...right]));
    if (groups.length > MAX_GROUPS) return undefined;
  }
  return groups;
}
