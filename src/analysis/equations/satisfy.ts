import type { EquationClause } from "../../graph/mod.ts";
import { comparesSides, type Formula, type Literal, leftOf, lefts, rightOf } from "./formula.ts";
import { type Assignment, type Outcome, valuesFor } from "./linked_variables.ts";
import { valueFor } from "./one_variable.ts";
import { ANY_VALUE, type ValueFact } from "./value_fact.ts";

/** What variables can hold, by name. A variable that is absent can hold anything. */
export type ValueFacts = ReadonlyMap<string, ValueFact>;

/** The names that stand for variables. */
interface Names {
  readonly has: (name: string) => boolean;
}

/** Maximum number of cases before the search gives up. */
const MOST_CASES = 5_000;

/**
 * Finds values of variables for which a formula is true as the engine evaluates it.
 *
 * The formula is split into cases, one comparison of each group at a time. A case is decided variable by variable: over
 * the values that it can hold, or over the intervals and texts that its comparisons tell apart. A right side counts as
 * a variable where a fact or another comparison names it; any other is a text.
 *
 * @returns Values, with variables that are not set left out; `none`, which is a proof; `unknown` where variables that
 *   contain each other have no values among those tried, or where there are too many cases.
 */
export function satisfy(formula: Formula, facts: ValueFacts): Outcome {
  const own = lefts(formula);
  const factOf = (name: string) => facts.get(name) ?? ANY_VALUE;
  const isNeverSet = (name: string) => factOf(name).values?.length === 0 && factOf(name).mayBeUnset;
  const variables: Names = { has: (name) => (own.has(name) || facts.has(name)) && !isNeverSet(name) };
  const groups = withoutDecided(formula, isNeverSet).sort((a, b) => a.length - b.length);
  let cases = 0;
  let unsure = false;

  /** Records whether the answer is certain, and returns values if there are any. */
  function decided(literals: readonly Literal[]): Assignment | undefined {
    const outcome = solve(literals, variables, factOf);
    if (outcome === "unknown") unsure = true;
    return typeof outcome === "string" ? undefined : outcome;
  }

  function search(index: number, chosen: readonly Literal[]): Assignment | undefined {
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
      if (group.length > 1 && !decided(linkedTo(literal, next, variables))) continue;
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
function withoutDecided(formula: Formula, isNeverSet: (name: string) => boolean): (readonly Literal[])[] {
  const outcomeOf = ({ clause }: Literal) =>
    isNeverSet(leftOf(clause)) ? clause.operator === "not_exist" : isWithItself(clause) ? false : undefined;
  const open = formula.flatMap((group) => {
    const literals = group.map(withExistence);
    if (literals.some((literal) => outcomeOf(literal) === literal.holds)) return [];
    return [literals.filter((literal) => outcomeOf(literal) === undefined)];
  });
  return withoutSettled(open);
}

/** Drops alternatives that a group of one comparison already decides, until nothing changes. */
function withoutSettled(groups: readonly (readonly Literal[])[]): (readonly Literal[])[] {
  const alone = new Map(groups.flatMap(([only, second]) => (only && !second ? [[keyOf(only), only.holds]] : [])));
  const left = groups.flatMap((group) => {
    if (group.length < 2) return [group];
    if (group.some((literal) => alone.get(keyOf(literal)) === literal.holds)) return [];
    return [group.filter((literal) => !alone.has(keyOf(literal)))];
  });
  const count = (all: readonly (readonly Literal[])[]) => all.reduce((sum, { length }) => sum + length, 0);
  return count(left) < count(groups) ? withoutSettled(left) : left;
}

function keyOf({ clause }: Literal): string {
  return JSON.stringify([leftOf(clause), clause.operator, rightOf(clause).literal]);
}

/** Compared with itself by `==` or `contains`, a variable only has to be set. */
function withExistence(literal: Literal): Literal {
  const { clause, holds } = literal;
  const { left, operator } = clause;
  const isSelf = rightOf(clause).name === leftOf(clause);
  return isSelf && (operator === "==" || operator === "contains")
    ? { clause: { left, operator: "exists" }, holds }
    : literal;
}

/** Whether a comparison of a variable with itself is never true. */
function isWithItself(clause: EquationClause): boolean {
  return rightOf(clause).name === leftOf(clause) && ["!=", "not_contains", ">", "<"].includes(clause.operator);
}

/** Values for the variables of a formula that are never unset, where no comparison limits them. */
function alwaysSet(formula: Formula, facts: ValueFacts): readonly (readonly [string, string])[] {
  const named = new Set(formula.flat().flatMap(({ clause }) => [leftOf(clause), rightOf(clause).name]));
  return [...named].flatMap((name) => {
    const fact = facts.get(name);
    const text = fact && !fact.mayBeUnset ? valueFor([], fact)?.text : undefined;
    return text === undefined ? [] : [[name, text] as const];
  });
}

/** Decides a conjunction of comparisons. */
function solve(literals: readonly Literal[], variables: Names, factOf: (name: string) => ValueFact): Outcome {
  const values = new Map<string, string>();
  let unsure = false;
  for (const [names, own] of components(literals, variables)) {
    const [only] = names;
    if (names.length === 1 && only !== undefined && own.every(({ clause }) => rightOf(clause).name !== only)) {
      const limits = own.map(({ clause, holds }) => {
        return { operator: clause.operator, right: rightOf(clause).literal, holds };
      });
      const value = valueFor(limits, factOf(only));
      if (!value) return "none";
      if (value.text !== undefined) values.set(only, value.text);
      continue;
    }
    const outcome = valuesFor(names, own, factOf);
    if (outcome === "none") return "none";
    if (outcome === "unknown") {
      const others = own.filter((literal) => !isLinkedText(literal, variables));
      if (others.length < own.length && solve(others, variables, factOf) === "none") return "none";
      unsure = true;
    } else for (const [name, text] of outcome) values.set(name, text);
  }
  return unsure ? "unknown" : values;
}

/** Whether a text is searched in another variable; then failing to find values proves nothing. */
function isLinkedText(literal: Literal, variables: Names): boolean {
  return /contains$/.test(literal.clause.operator) && namesIn(literal, variables).length > 1;
}

/** The comparisons that share variables with one of them, over any number of steps. */
function linkedTo(literal: Literal, literals: readonly Literal[], variables: Names): readonly Literal[] {
  return components(literals, variables).find(([, own]) => own.includes(literal))?.[1] ?? literals;
}

/** Groups comparisons by the variables that they link. */
function components(
  literals: readonly Literal[],
  variables: Names,
): readonly (readonly [readonly string[], readonly Literal[]])[] {
  const parent = new Map<string, string>();
  const rootOf = (name: string): string => {
    const above = parent.get(name) ?? name;
    return above === name ? name : rootOf(above);
  };
  for (const literal of literals) {
    const names = namesIn(literal, variables);
    for (const name of names) parent.set(rootOf(name), rootOf(names[0] ?? name));
  }
  const groups = new Map<string, [Set<string>, Literal[]]>();
  for (const literal of literals) {
    const names = namesIn(literal, variables);
    const root = rootOf(names[0] ?? "");
    const [known, own] = groups.get(root) ?? [new Set<string>(), []];
    for (const name of names) known.add(name);
    groups.set(root, [known, [...own, literal]]);
  }
  return [...groups.values()].map(([names, own]) => [[...names], own] as const);
}

function namesIn({ clause }: Literal, variables: Names): readonly string[] {
  const left = leftOf(clause);
  const { name } = rightOf(clause);
  return comparesSides(clause) && variables.has(name) ? [left, name] : [left];
}
