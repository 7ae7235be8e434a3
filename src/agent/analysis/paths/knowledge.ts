import {
  comparedVariables,
  type Formula,
  failing,
  holding,
  leftOf,
  satisfy,
  type ValueFact,
} from "../equations/mod.ts";
import type { Read } from "./place.ts";
import type { Searchable } from "./searchable.ts";
import type { StateTable } from "./states.ts";

/** Knowledge about the variables at a point of a call. */
interface Known {
  /** Who set each of the variables last. */
  readonly facts: ReadonlyMap<string, ValueFact>;
  /** Results of equations on the way, for the values that the variables still have. */
  readonly formula: Formula;
  readonly watched: number;
}

/**
 * States that store what the equations on the way have shown, instead of values. A search over them follows every path
 * that a call can take, and possibly more, because setting a variable drops what was known about it. If it reaches
 * nothing, no call does, even when variables are compared with each other.
 */
export function knowledgeTable({ sources, clauses }: Searchable): StateTable {
  const names = new Set(clauses.flatMap(comparedVariables));
  const known: Known[] = [];
  const numbers = new Map<string, number>();
  const feasible = new Map<string, boolean>();
  const isOf = (variables: ReadonlySet<string>, group: Formula[number]) =>
    group.some(({ clause }) => comparedVariables(clause).some((name) => variables.has(name)));

  function numberOf({ facts, formula, watched }: Known): number {
    const groups = new Map(formula.map((group) => [groupKey(group), group]));
    const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    const key = JSON.stringify([watched, [...facts], sorted.map(([each]) => each)]);
    const number = numbers.get(key);
    if (number !== undefined) return number;
    numbers.set(key, known.length);
    known.push({ facts, formula: sorted.map(([, group]) => group), watched });
    return known.length - 1;
  }

  function at(state: number): Known {
    return known[state] ?? { facts: new Map(), formula: [], watched: 0 };
  }

  function isPossible({ facts, formula }: Known): boolean {
    const key = JSON.stringify([[...facts], formula.map(groupKey)]);
    const found = feasible.get(key);
    if (found !== undefined) return found;
    const result = satisfy(formula, facts) !== "none";
    feasible.set(key, result);
    return result;
  }

  function read(state: number, reads: readonly Read[]): number | undefined {
    if (reads.length === 0) return state;
    const now = at(state);
    const shown = reads.flatMap(({ condition, holds }) => (holds ? holding(condition) : failing(condition)));
    const next = at(numberOf({ ...now, formula: [...now.formula, ...shown] }));
    return isPossible(next) ? numberOf(next) : undefined;
  }

  return {
    followed: [],
    read,
    at: (state) => ({ cells: [], watched: at(state).watched }),
    truth: () => undefined,
    mayHold: (state, condition) => read(state, [{ condition, holds: true }]) !== undefined,
    starts: (watched) => [
      numberOf({ facts: new Map([...names].map((name) => [name, sources.startOf(name)])), formula: [], watched }),
    ],
    watched: (state, watched) => numberOf({ ...at(state), watched }),
    written: (state, writes, choice) => {
      const now = at(state);
      const set = writes.filter(({ variable }, index) => choice[index] !== undefined && names.has(variable));
      const replaced = new Set(set.map(({ variable }) => variable));
      const facts = new Map(now.facts);
      for (const { variable, fact } of set) facts.set(variable, fact);
      return numberOf({ ...now, facts, formula: now.formula.filter((group) => !isOf(replaced, group)) });
    },
    choices: (writes) => {
      let all: readonly (readonly (number | undefined)[])[] = [[]];
      for (const { variable } of writes)
        all = all.flatMap((chosen) =>
          names.has(variable)
            ? [
                [...chosen, undefined],
                [...chosen, 0],
              ]
            : [[...chosen, undefined]],
        );
      return all;
    },
  };
}

function groupKey(group: Formula[number]): string {
  const each = group.map(({ clause, holds }) =>
    JSON.stringify([leftOf(clause), clause.operator, clause.right ?? null, holds]),
  );
  return [...new Set(each)].sort().join();
}
