import { clauseVariables, compareDecimals, fillRight, isDecimal, rightOf } from "../../../document/expressions/mod.ts";
import type { EquationClause } from "../../../document/graph/mod.ts";
import {
  type ClauseLiteral,
  comparedVariables,
  type Formula,
  isTemplate,
  type Limit,
  leftOf,
  templateTexts,
  valueFor,
} from "./formula.ts";
import { ANY_VALUE, isCanonicalNumber, type ValueFact } from "./number_texts.ts";

/** Possible values of variables, by name. A variable that is absent can have any value. */
export type ValueFacts = ReadonlyMap<string, ValueFact>;

/** Whether a variable can have a value; the placeholder of one that is never set stays in a right side. */
type CanBeSet = (name: string) => boolean;

/** Maximum number of cases before the search gives up. */
const MOST_CASES = 5_000;

/**
 * Finds values of variables for which a formula is true as the engine evaluates it.
 *
 * The formula is split into cases, one comparison of each group at a time. A case is decided variable by variable: over
 * the values that it can hold, or over the intervals and texts that its comparisons tell apart.
 *
 * @returns Values, with variables that are not set left out; `none`, which is a proof; `unknown` where variables that
 *   contain each other, or are parts of a right side, have no values among those tried, or where there are too many
 *   cases.
 */
export function satisfy(formula: Formula, facts: ValueFacts): Outcome {
  const factOf = (name: string) => facts.get(name) ?? ANY_VALUE;
  const isNeverSet = (name: string) => factOf(name).values?.length === 0 && factOf(name).mayBeUnset;
  const canBeSet = (name: string) => !isNeverSet(name);
  const groups = withoutDecided(formula, isNeverSet).sort((a, b) => a.length - b.length);
  let cases = 0;
  let unsure = false;

  /** Records whether the answer is certain, and returns values if there are any. */
  function decided(literals: readonly ClauseLiteral[]): Assignment | undefined {
    const outcome = solve(literals, canBeSet, factOf);
    if (outcome === "unknown") unsure = true;
    return typeof outcome === "string" ? undefined : outcome;
  }

  function search(index: number, chosen: readonly ClauseLiteral[]): Assignment | undefined {
    if (cases++ > MOST_CASES) {
      unsure = true;
      return undefined;
    }
    const group = groups[index];
    if (!group) return decided(chosen);
    for (const literal of group) {
      const next = [...chosen, literal];
      const isLastAlone = group.length === 1 && groups[index + 1]?.length !== 1;
      if (isLastAlone && !decided(next)) continue;
      if (group.length > 1 && !decided(linkedTo(literal, next, canBeSet))) continue;
      const found = search(index + 1, next);
      if (found) return found;
    }
    return undefined;
  }

  const found = search(0, []);
  if (!found) return unsure ? "unknown" : "none";
  return new Map([...found, ...alwaysSet(formula, facts).filter(([name]) => !found.has(name))]);
}

/** Drops comparisons with a clear outcome: of variables that are never set, and of a variable with itself. */
function withoutDecided(formula: Formula, isNeverSet: (name: string) => boolean): (readonly ClauseLiteral[])[] {
  const outcomeOf = ({ clause }: ClauseLiteral) =>
    isNeverSet(leftOf(clause)) ? clause.operator === "not_exist" : isWithItself(clause) ? false : undefined;
  const open = formula.flatMap((group) => {
    const literals = group.map(withExistence);
    if (literals.some((literal) => outcomeOf(literal) === literal.holds)) return [];
    return [literals.filter((literal) => outcomeOf(literal) === undefined)];
  });
  return withoutSettled(open);
}

/** Drops alternatives that a group of one comparison already decides, until nothing changes. */
function withoutSettled(groups: readonly (readonly ClauseLiteral[])[]): (readonly ClauseLiteral[])[] {
  const alone = new Map(groups.flatMap(([only, second]) => (only && !second ? [[keyOf(only), only.holds]] : [])));
  const left = groups.flatMap((group) => {
    if (group.length < 2) return [group];
    if (group.some((literal) => alone.get(keyOf(literal)) === literal.holds)) return [];
    return [group.filter((literal) => !alone.has(keyOf(literal)))];
  });
  const count = (all: readonly (readonly ClauseLiteral[])[]) => all.reduce((sum, { length }) => sum + length, 0);
  return count(left) < count(groups) ? withoutSettled(left) : left;
}

function keyOf({ clause }: ClauseLiteral): string {
  return JSON.stringify([leftOf(clause), clause.operator, rightOf(clause).text]);
}

/** Compared with itself by `==` or `contains`, a variable only has to be set. */
function withExistence(literal: ClauseLiteral): ClauseLiteral {
  const { clause, holds } = literal;
  const { left, operator } = clause;
  const isSelf = rightOf(clause).variable === leftOf(clause);
  return isSelf && (operator === "==" || operator === "contains")
    ? { clause: { left, operator: "exists" }, holds }
    : literal;
}

/** Whether a comparison of a variable with itself is never true. */
function isWithItself(clause: EquationClause): boolean {
  return rightOf(clause).variable === leftOf(clause) && ["!=", "not_contains", ">", "<"].includes(clause.operator);
}

/** Values for the variables of a formula that are never unset, where no comparison limits them. */
function alwaysSet(formula: Formula, facts: ValueFacts): readonly (readonly [string, string])[] {
  const named = new Set(formula.flat().flatMap(({ clause }) => clauseVariables(clause)));
  return [...named].flatMap((name) => {
    const fact = facts.get(name);
    const text = fact && !fact.mayBeUnset ? valueFor([], fact)?.text : undefined;
    return text === undefined ? [] : [[name, text] as const];
  });
}

/** Decides a conjunction of comparisons. */
function solve(literals: readonly ClauseLiteral[], canBeSet: CanBeSet, factOf: (name: string) => ValueFact): Outcome {
  const values = new Map<string, string>();
  let unsure = false;
  for (const [names, own] of components(literals, canBeSet)) {
    const [only] = names;
    if (names.length === 1 && only !== undefined && own.every(({ clause }) => !rightOf(clause).names.includes(only))) {
      const limits = own.map(({ clause, holds }) => {
        return { operator: clause.operator, right: rightOf(clause).text, holds };
      });
      const value = valueFor(limits, factOf(only));
      if (!value) return "none";
      if (value.text !== undefined) values.set(only, value.text);
      continue;
    }
    const outcome = valuesFor(names, own, factOf);
    if (outcome === "none") return "none";
    if (outcome === "unknown") {
      if (hasOpposites(own)) return "none";
      const others = own.filter((literal) => !isLinkedText(literal, canBeSet));
      if (others.length < own.length && solve(others, canBeSet, factOf) === "none") return "none";
      unsure = true;
    } else for (const [name, text] of outcome) values.set(name, text);
  }
  return unsure ? "unknown" : values;
}

const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ["==", "!="],
  ["!=", "=="],
  ["contains", "not_contains"],
  ["not_contains", "contains"],
]);

/** Whether the same comparison has to hold and not to hold, whatever the other variables are. */
function hasOpposites(literals: readonly ClauseLiteral[]): boolean {
  const keys = new Set(literals.map((literal) => `${keyOf(literal)} ${literal.holds}`));
  return literals.some((literal) => {
    const operator = OPPOSITES.get(literal.clause.operator) ?? "";
    const opposite = { clause: { ...literal.clause, operator }, holds: true };
    return keys.has(`${keyOf(literal)} ${!literal.holds}`) || (literal.holds && keys.has(`${keyOf(opposite)} true`));
  });
}

/** Whether a text is searched in another variable, or made with one; then failing to find values proves nothing. */
function isLinkedText(literal: ClauseLiteral, canBeSet: CanBeSet): boolean {
  const { clause } = literal;
  if (isTemplate(clause)) return rightOf(clause).names.some(canBeSet);
  return /contains$/.test(clause.operator) && namesIn(literal, canBeSet).length > 1;
}

/** The comparisons that share variables with one of them, over any number of steps. */
function linkedTo(
  literal: ClauseLiteral,
  literals: readonly ClauseLiteral[],
  canBeSet: CanBeSet,
): readonly ClauseLiteral[] {
  return components(literals, canBeSet).find(([, own]) => own.includes(literal))?.[1] ?? literals;
}

/** Groups comparisons by the variables that they link. */
function components(
  literals: readonly ClauseLiteral[],
  canBeSet: CanBeSet,
): readonly (readonly [readonly string[], readonly ClauseLiteral[]])[] {
  const parent = new Map<string, string>();
  const rootOf = (name: string): string => {
    const above = parent.get(name) ?? name;
    return above === name ? name : rootOf(above);
  };
  for (const literal of literals) {
    const names = namesIn(literal, canBeSet);
    for (const name of names) parent.set(rootOf(name), rootOf(names[0] ?? name));
  }
  const groups = new Map<string, [Set<string>, ClauseLiteral[]]>();
  for (const literal of literals) {
    const names = namesIn(literal, canBeSet);
    const root = rootOf(names[0] ?? "");
    const [known, own] = groups.get(root) ?? [new Set<string>(), []];
    for (const name of names) known.add(name);
    groups.set(root, [known, [...own, literal]]);
  }
  return [...groups.values()].map(([names, own]) => [[...names], own] as const);
}

function namesIn({ clause }: ClauseLiteral, canBeSet: CanBeSet): readonly string[] {
  const [left = "", ...others] = comparedVariables(clause);
  return [left, ...others.filter(canBeSet)];
}

/** Values by variable; a variable without a value is not set. */
export type Assignment = ReadonlyMap<string, string>;

/** The outcome of a search: values that fit, a proof that there are none, or no answer. */
export type Outcome = Assignment | "none" | "unknown";

/** Maximum number of combinations to try for variables that are compared with each other. */
const MOST_TRIES = 20_000;

/**
 * Finds values for variables that are compared with each other. All but the last are tried with every value that the
 * comparisons can tell apart; the last then has comparisons with texts only, which {@link valueFor} decides.
 */
function valuesFor(
  names: readonly string[],
  literals: readonly ClauseLiteral[],
  factOf: (name: string) => ValueFact,
): Outcome {
  const known = new Set(names);
  const isSelf = ({ clause }: ClauseLiteral) => rightOf(clause).names.includes(leftOf(clause));
  const ordered = [...names].sort((a, b) => weightOf(b, literals) - weightOf(a, literals));
  const enumerated = literals.some(isSelf) ? ordered : ordered.slice(0, -1);
  const last = literals.some(isSelf) ? undefined : ordered.at(-1);
  const candidates = new Map(enumerated.map((name) => [name, candidatesFor(name, names.length, literals, factOf)]));
  let tries = 0;

  function search(index: number, values: ReadonlyMap<string, string | undefined>): Assignment | undefined {
    if (tries++ > MOST_TRIES) return undefined;
    const name = enumerated[index];
    if (name === undefined) return finish(values);
    for (const text of candidates.get(name) ?? []) {
      const tried = new Map(values).set(name, text);
      if (!literals.every((literal) => holdsSoFar(literal, tried, known))) continue;
      const found = search(index + 1, tried);
      if (found) return found;
    }
    return undefined;
  }

  function finish(values: ReadonlyMap<string, string | undefined>): Assignment | undefined {
    const set = new Map([...values].flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])));
    if (last === undefined) return set;
    const own = literals.filter(({ clause }) => leftOf(clause) === last);
    const limits = own.map((literal) => limitOf(literal, values));
    // comparisons of the other variables with the last one limit it too, so its candidates are tried one by one
    const others = literals.filter(({ clause }) => leftOf(clause) !== last && rightOf(clause).names.includes(last));
    if (others.length === 0) {
      const value = valueFor(limits, factOf(last));
      if (!value) return undefined;
      return value.text === undefined ? set : new Map(set).set(last, value.text);
    }
    for (const text of candidatesFor(last, names.length, literals, factOf, [...set.values()])) {
      const tried = new Map(values).set(last, text);
      if (literals.every((literal) => holdsSoFar(literal, tried, known)))
        return text === undefined ? set : new Map(set).set(last, text);
    }
    return undefined;
  }

  const found = search(0, new Map());
  if (found) return found;
  const finite = names.every((name) => factOf(name).values);
  const isText = literals.some(({ clause }) => /contains$/.test(clause.operator) || isTemplate(clause));
  // floating point cannot find a number between two that are long or close to each other
  const isLong = literals.some(({ clause }) => isDecimal(rightOf(clause).text) && rightOf(clause).text.length > 12);
  return tries <= MOST_TRIES && (finite || !(isText || isLong)) ? "none" : "unknown";
}

/** Variables on the right of comparisons are tried first. */
function weightOf(name: string, literals: readonly ClauseLiteral[]): number {
  return literals.filter(({ clause }) => rightOf(clause).names.includes(name)).length;
}

/** Whether a comparison has the wanted outcome, or cannot be decided yet. */
function holdsSoFar(
  literal: ClauseLiteral,
  values: ReadonlyMap<string, string | undefined>,
  known: ReadonlySet<string>,
): boolean {
  const left = leftOf(literal.clause);
  const isOpen = (name: string) => known.has(name) && !values.has(name);
  if (!values.has(left) || rightOf(literal.clause).names.some(isOpen)) return true;
  const fact: ValueFact = { values: [values.get(left) ?? ""], kind: "text", mayBeUnset: true };
  const text = values.get(left);
  const value = valueFor(
    [limitOf(literal, values)],
    text === undefined ? { ...fact, values: [] } : { ...fact, mayBeUnset: false },
  );
  return value !== undefined;
}

/** A comparison with its right side filled. */
function limitOf({ clause, holds }: ClauseLiteral, values: ReadonlyMap<string, string | undefined>): Limit {
  const right = fillRight(rightOf(clause).text, (name) => values.get(name));
  return { operator: clause.operator, right, holds };
}

/**
 * The values of a variable that the comparisons can tell apart: none, every text named, numbers at and between those
 * named (as many as there are variables, which may have to differ), and texts that are no numbers.
 */
function candidatesFor(
  name: string,
  variables: number,
  literals: readonly ClauseLiteral[],
  factOf: (name: string) => ValueFact,
  more: readonly string[] = [],
): readonly (string | undefined)[] {
  const fact = factOf(name);
  const unset = fact.mayBeUnset ? [undefined] : [];
  if (fact.values) return [...fact.values, ...unset];
  const clauses = literals.map(({ clause }) => clause);
  const listed = clauses.flatMap(comparedVariables).flatMap((each) => factOf(each).values ?? []);
  const named = [...clauses.map((clause) => rightOf(clause).text), ...listed, ...more];
  const texts = [...new Set([...named, ...templateTexts(clauses, named)])];
  const canonical = fact.kind === "number";
  const numbers = numbersAround(texts.filter(isDecimal), variables, canonical);
  if (canonical) return [...[...numbers, ...texts].filter(isCanonicalNumber), ...unset];
  const own = valueFor(
    literals.flatMap((literal) => (leftOf(literal.clause) === name ? [limitOf(literal, new Map())] : [])),
    fact,
  );
  const words = Array.from({ length: variables + 1 }, (_, index) => `${freshWord(texts)}${"x".repeat(index)}`);
  return [...new Set([...numbers, ...texts, own?.text, ...words, texts.join(" "), "", ...unset])].filter(
    (each) => each !== undefined || fact.mayBeUnset,
  );
}

function freshWord(texts: readonly string[]): string {
  let word = "other";
  while (texts.some((text) => text.includes(word))) word += "_";
  return word;
}

function numbersAround(texts: readonly string[], variables: number, canonical: boolean): readonly string[] {
  const named = texts.length > 0 ? texts : ["0"];
  const sorted = [...named].sort((a, b) => compareDecimals(a, b) ?? 0).map((text) => text.trim());
  const values = sorted.map(Number);
  const steps = Array.from({ length: variables }, (_, index) => index + 1);
  const low = (values[0] ?? 0) - variables - 1;
  const between = values.flatMap((value, index) => {
    const next = values[index + 1];
    if (next === undefined) return steps.map((step) => value + step);
    return steps.map((step) => value + ((next - value) * step) / (variables + 1));
  });
  const spelled = canonical
    ? values.map(String)
    : sorted.flatMap((text) => [...steps, ...sorted].map((_, index) => respelled(text, index + 1)));
  return [...steps.map((step) => String(low + step)), ...between.map(String), ...sorted, ...spelled];
}

/** Another text of the same number. */
function respelled(text: string, times: number): string {
  const sign = /^[-+]/.exec(text)?.[0] ?? "";
  return sign + "0".repeat(times) + text.slice(sign.length);
}
