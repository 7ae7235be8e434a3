import { compareValues, isDecimal, rightOf } from "../../../document/expressions/mod.ts";
import type { EquationClause } from "../../../document/graph/mod.ts";
import {
  comparedVariables,
  comparesSides,
  isCanonicalNumber,
  isTemplate,
  type Limit,
  numbersAround,
  templateTexts,
  type ValueFact,
  valueFor,
} from "../equations/mod.ts";
import type { VariableSources } from "./variables.ts";

/** The values of a variable, grouped into cells that the equations of a graph can tell apart. */
export interface Cells {
  /** One value per cell; the first cell is the unset variable. */
  readonly texts: readonly (string | undefined)[];
  /** The cells that a source can set, with a value that it can give. */
  readonly from: (fact: ValueFact) => ReadonlyMap<number, string | undefined>;
  /** Whether the cells are all values that equations can tell apart. Not where variables are compared with each other. */
  readonly isExact: boolean;
}

/** Maximum number of cells of one variable. */
const MOST_CELLS = 1_000;

/** Computes the cells of variables lazily. */
export function cellsOf(clauses: readonly EquationClause[], sources: VariableSources): (name: string) => Cells {
  const groups = groupsOf(clauses);
  const known = new Map<string, Cells>();
  return (name) => {
    const found = known.get(name);
    if (found) return found;
    const { names, own } = groups.get(name) ?? { names: new Set([name]), own: [] };
    const cells =
      names.size === 1 && !own.some(isTemplate) ? cellsAlone(name, own, sources) : cellsTogether(names, own, sources);
    known.set(name, cells);
    return cells;
  };
}

interface Group {
  readonly names: Set<string>;
  readonly own: EquationClause[];
}

/** Groups variables that are compared with each other. */
function groupsOf(clauses: readonly EquationClause[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const clause of clauses) {
    const names = comparedVariables(clause);
    const touched = new Set(names.flatMap((name) => groups.get(name) ?? []));
    const [known] = touched;
    if (known && touched.size === 1) {
      known.own.push(clause);
      for (const name of names) {
        known.names.add(name);
        groups.set(name, known);
      }
      continue;
    }
    const merged: Group = {
      names: new Set([...names, ...[...touched].flatMap((group) => [...group.names])]),
      own: [...[...touched].flatMap((group) => group.own), clause],
    };
    for (const name of merged.names) groups.set(name, merged);
  }
  return groups;
}

/** Each combination of comparisons that are true and false for some value is a cell. */
function cellsAlone(name: string, clauses: readonly EquationClause[], sources: VariableSources): Cells {
  const atoms = new Map<string, Limit>();
  for (const clause of clauses)
    if (comparesSides(clause))
      for (const atom of atomsOf(name, clause)) atoms.set(JSON.stringify([atom.operator, atom.right]), atom);
  const limits = [...atoms.values()];
  const vectorOf = (text: string) =>
    limits.map(({ operator, right }) => (compareValues(operator, text, right) ? "1" : "0")).join("");
  const found = new Map<string, Map<string, string>>();
  let isExact = true;
  const vectorsOf = ({ values, kind }: ValueFact): Map<string, string> => {
    const key = JSON.stringify([values ?? null, kind]);
    const known = found.get(key);
    if (known) return known;
    const vectors = new Map<string, string>();
    if (values) for (const text of values) if (!vectors.has(vectorOf(text))) vectors.set(vectorOf(text), text);
    if (!values) isExact = search(limits, kind, vectors) && isExact;
    found.set(key, vectors);
    return vectors;
  };
  const index = new Map<string, number>();
  const texts: (string | undefined)[] = [undefined];
  for (const fact of sources.sourcesOf(name))
    for (const [vector, text] of vectorsOf(fact))
      if (!index.has(vector)) {
        index.set(vector, texts.length);
        texts.push(text);
      }
  return {
    texts,
    isExact,
    from: memo((fact) => {
      const cells = new Map<number, string | undefined>(fact.mayBeUnset ? [[0, undefined]] : []);
      for (const [vector, text] of vectorsOf(fact)) cells.set(index.get(vector) ?? 0, text);
      return cells;
    }),
  };
}

/** The texts that a variable is compared with. For a comparison with itself, only whether it is a number matters. */
function atomsOf(name: string, clause: EquationClause): readonly Limit[] {
  const { text, variable } = rightOf(clause);
  if (variable !== name) return [{ operator: clause.operator, right: text, holds: true }];
  return [">=", "<"].map((operator) => ({ operator, right: "0", holds: true }));
}

/** Adds a value for each combination of comparisons that some value has. Returns whether all of them were found. */
function search(atoms: readonly Limit[], kind: ValueFact["kind"], vectors: Map<string, string>): boolean {
  const fact: ValueFact = { kind, mayBeUnset: false };
  const open: (readonly Limit[])[] = [[]];
  for (let limits = open.pop(); limits; limits = open.pop()) {
    const text = valueFor(limits, fact)?.text;
    if (text === undefined) continue;
    const atom = atoms[limits.length];
    if (!atom) vectors.set(limits.map(({ holds }) => (holds ? "1" : "0")).join(""), text);
    else open.push([...limits, { ...atom, holds: false }], [...limits, atom]);
    if (vectors.size > MOST_CELLS) return false;
  }
  return true;
}

/** Values for variables that are compared with each other, or fill a part of a right side: all of them where they are listed, else typical ones. */
function cellsTogether(
  names: ReadonlySet<string>,
  clauses: readonly EquationClause[],
  sources: VariableSources,
): Cells {
  const facts = [...names].flatMap((each) => sources.sourcesOf(each));
  const listed = facts.flatMap(({ values }) => values ?? []);
  const isExact = facts.every(({ values }) => values !== undefined);
  const named = [...listed, ...clauses.map((each) => rightOf(each).text)];
  const texts = isExact ? listed : typicalTexts(names.size, [...named, ...templateTexts(clauses, named)]);
  const all: readonly (string | undefined)[] = [undefined, ...new Set(texts)];
  const allows = ({ values, kind }: ValueFact, text: string) =>
    values ? values.includes(text) : kind === "text" || isCanonicalNumber(text);
  return {
    texts: all,
    isExact,
    from: memo(
      (fact) =>
        new Map(
          all.flatMap((text, cell) => {
            const fits = text === undefined ? fact.mayBeUnset : allows(fact, text);
            return fits ? [[cell, text] as const] : [];
          }),
        ),
    ),
  };
}

/** Texts named by equations, numbers at, beside and between them, and words that are none of them. */
function typicalTexts(variables: number, texts: readonly string[]): readonly string[] {
  let numbers: readonly string[] = texts.filter(isDecimal);
  if (numbers.length === 0) numbers = ["0"];
  for (let round = 0; round < Math.min(2, variables); round++) numbers = numbersAround(numbers) ?? numbers;
  let word = "other";
  while (texts.some((text) => text.includes(word))) word += "_";
  const words = Array.from({ length: variables }, (_, index) => word + "x".repeat(index));
  const isWritten = (text: string) => text.includes("{{"); // comes last: no caller would say it
  return [...texts.filter((text) => !isWritten(text)), ...numbers, ...words, ...texts.filter(isWritten)];
}

function memo<Fact extends object, Result>(work: (fact: Fact) => Result): (fact: Fact) => Result {
  const known = new Map<string, Result>();
  return (fact) => {
    const key = JSON.stringify(fact);
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = work(fact);
    known.set(key, made);
    return made;
  };
}
