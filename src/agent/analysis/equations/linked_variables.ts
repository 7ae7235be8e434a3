import { compareDecimals, fillRight, isDecimal, rightOf } from "../../../document/expressions/mod.ts";
import { type ClauseLiteral, comparedVariables, isTemplate, leftOf, templateTexts } from "./formula.ts";
import { type Limit, valueFor } from "./one_variable.ts";
import { isCanonicalNumber, type ValueFact } from "./value_fact.ts";

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
export function valuesFor(
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
