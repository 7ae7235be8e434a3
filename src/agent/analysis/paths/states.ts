import { compareValues, fillRight, rightOf } from "../../../document/expressions/mod.ts";
import type { EquationClause, TransitionCondition } from "../../../document/graph/mod.ts";
import { comparesSides, leftOf } from "../equations/mod.ts";
import type { Cells } from "./cells.ts";
import type { Choice, Read, Write } from "./place.ts";
import type { VariableSources } from "./variables.ts";

/** The values of the followed variables, and what the watch has noted. */
interface CallValues {
  readonly cells: readonly number[];
  readonly watched: number;
}

/** Combinations of values, by number. */
export interface StateTable {
  readonly followed: readonly string[];
  readonly at: (state: number) => CallValues;
  /** The initial states of a call. */
  readonly starts: (watched: number) => readonly number[];
  readonly watched: (state: number, watched: number) => number;
  readonly written: (state: number, writes: readonly Write[], choice: Choice) => number;
  /** All combinations of values that writes can set; values of other variables are not chosen. */
  readonly choices: (writes: readonly Write[]) => readonly Choice[];
  readonly truth: (state: number, condition: TransitionCondition) => boolean | undefined;
  /** Whether a watched condition is true, or may be true because the table does not follow all of its values. */
  readonly mayHold: (state: number, condition: TransitionCondition) => boolean;
  /** The state after conditions turned out as an edge requires; `undefined` if they cannot. */
  readonly read: (state: number, reads: readonly Read[]) => number | undefined;
}

export function stateTable(
  followed: readonly string[],
  cellsOf: (name: string) => Cells,
  sources: VariableSources,
): StateTable {
  const place = new Map(followed.map((name, index) => [name, index]));
  const texts = followed.map((name) => cellsOf(name).texts);
  const values: CallValues[] = [];
  const numbers = new Map<string, number>();
  const truths = new Map<TransitionCondition, Map<number, boolean | undefined>>();

  function numberOf(cells: readonly number[], watched: number): number {
    const key = `${watched},${cells.join()}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, values.length);
    values.push({ cells, watched });
    return values.length - 1;
  }

  function at(state: number): CallValues {
    return values[state] ?? { cells: [], watched: 0 };
  }

  /** The value of a variable; `undefined` when it is not followed. */
  function knownValue(name: string, cells: readonly number[]): { readonly text: string | undefined } | undefined {
    const index = place.get(name);
    return index === undefined ? undefined : { text: texts[index]?.[cells[index] ?? 0] };
  }

  function clauseTruth(clause: EquationClause, cells: readonly number[]): boolean | undefined {
    const left = knownValue(leftOf(clause), cells);
    if (!left) return undefined;
    const { text, names } = rightOf(clause);
    const values = new Map(names.map((name) => [name, knownValue(name, cells)]));
    if (comparesSides(clause) && [...values.values()].includes(undefined)) return undefined;
    return compareValues(
      clause.operator,
      left.text,
      fillRight(text, (name) => values.get(name)?.text),
    );
  }

  function truth(state: number, condition: TransitionCondition): boolean | undefined {
    const { equations, logical_operator: operator } = condition;
    if (!equations || equations.length === 0) return false;
    const known = truths.get(condition) ?? new Map<number, boolean | undefined>();
    truths.set(condition, known);
    if (known.has(state)) return known.get(state);
    const { cells } = at(state);
    const each = equations.map((clause) => clauseTruth(clause, cells));
    const decides = operator === "or";
    const result = each.includes(decides) ? decides : each.includes(undefined) ? undefined : !decides;
    known.set(state, result);
    return result;
  }

  return {
    followed,
    at,
    truth,
    mayHold: (state, condition) => truth(state, condition) === true,
    read: (state) => state,
    starts: (watched) => {
      const options = followed.map((name) => [...cellsOf(name).from(sources.startOf(name)).keys()]);
      return combinations(options).map((cells) => numberOf(cells, watched));
    },
    watched: (state, watched) => {
      const now = at(state);
      return now.watched === watched ? state : numberOf(now.cells, watched);
    },
    written: (state, writes, choice) => {
      const { cells, watched } = at(state);
      const next = [...cells];
      for (const [index, { variable }] of writes.entries()) {
        const cell = choice[index];
        const where = place.get(variable);
        if (cell !== undefined && where !== undefined) next[where] = cell;
      }
      return numberOf(next, watched);
    },
    choices: (writes) => {
      const options = writes.map(({ variable, fact }): readonly (number | undefined)[] =>
        place.has(variable) ? [undefined, ...cellsOf(variable).from(fact).keys()] : [undefined],
      );
      return combinations(options);
    },
  };
}

function combinations<Item>(options: readonly (readonly Item[])[]): readonly (readonly Item[])[] {
  let all: readonly (readonly Item[])[] = [[]];
  for (const each of options) all = all.flatMap((chosen) => each.map((item) => [...chosen, item]));
  return all;
}
