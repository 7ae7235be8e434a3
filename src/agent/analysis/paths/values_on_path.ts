import { compareValues, fillRight, rightOf } from "../../../document/expressions/mod.ts";
import { type ClauseLiteral, comparedVariables, type Formula, failing, holding } from "../equations/mod.ts";
import type { Cells } from "./cells.ts";
import type { Choice, PathEdge } from "./place.ts";
import type { StateTable } from "./states.ts";
import type { VariableSources } from "./variables.ts";

/** Values for a path: at the start, and by edge for each of its writes; `undefined`: the value is kept. */
export interface PathValues {
  readonly start: ReadonlyMap<string, string>;
  readonly written: ReadonlyMap<number, ReadonlyMap<string, string | undefined>>;
}

/** The edges of a path with the cells that were chosen for the followed variables. */
export interface Taken {
  readonly edge: PathEdge;
  readonly choice: Choice;
  readonly state: number;
}

/** Maximum number of alternatives to try for equations that can be met in several ways. */
const MOST_TRIES = 5_000;

interface Change {
  readonly edge: number;
  readonly variable: string;
  /** Absent for any value. */
  readonly before: ReadonlySet<number> | undefined;
  /** The values that a write can set; absent where an equation left fewer values. */
  readonly allowed?: ReadonlyMap<number, string | undefined>;
  /** A followed variable: the cell that is set, if any. */
  readonly pinned?: { readonly cell: number | undefined };
}

/**
 * Finds values for the variables that a path reads, as sets of values that are still possible at each step. Each
 * equation leaves those for which it is as the path needs it.
 *
 * @param options `isUnderWay`: the path begins in the middle of a call, with any values; it has to be possible for all.
 * @returns The values; or variables that have none, and which a search has to follow to avoid this path.
 */
export function valuesOnPath(
  path: readonly Taken[],
  states: StateTable,
  cellsOf: (name: string) => Cells,
  sources: VariableSources,
  options: { readonly startState?: number; readonly isUnderWay?: boolean } = {},
): PathValues | { readonly conflict: readonly string[] } {
  const followed = new Map(states.followed.map((name, index) => [name, index]));
  const read = new Set(
    path.flatMap(({ edge }) =>
      (edge.reads ?? []).flatMap(({ condition }) => (condition.equations ?? []).flatMap(comparedVariables)),
    ),
  );
  const names = new Set([...read, ...followed.keys()]);
  const startCells = states.at(options.startState ?? path[0]?.state ?? 0).cells;
  const sets = new Map<string, ReadonlySet<number>>();
  for (const name of names) {
    const index = followed.get(name);
    if (options.isUnderWay && index === undefined) continue; // any value: equations must hold for all of them
    const cells = index === undefined ? cellsOf(name).from(sources.startOf(name)).keys() : [startCells[index] ?? 0];
    sets.set(name, new Set(cells));
  }
  const changes: Change[] = [];
  const failed = { edge: -1, names: new Set<string>() };
  let tries = 0;

  function change(entry: Omit<Change, "before">, after: ReadonlySet<number>): void {
    changes.push({ ...entry, before: sets.get(entry.variable) });
    sets.set(entry.variable, after);
  }

  function undo(length: number): void {
    while (changes.length > length) {
      const last = changes.pop();
      if (last?.before) sets.set(last.variable, last.before);
      else if (last) sets.delete(last.variable);
    }
  }

  function fail(edge: number, variables: readonly string[]): void {
    if (edge < failed.edge) return;
    if (edge > failed.edge) failed.names.clear();
    failed.edge = edge;
    for (const name of variables) failed.names.add(name);
  }

  function write(index: number, { edge, choice }: Taken): void {
    for (const [at, { variable, fact }] of (edge.writes ?? []).entries()) {
      if (!names.has(variable)) continue;
      const before = sets.get(variable) ?? new Set();
      const allowed = cellsOf(variable).from(fact);
      if (!followed.has(variable)) {
        const isKept = !options.isUnderWay || sets.has(variable);
        change({ edge: index, variable, allowed }, new Set([...(isKept ? before : []), ...allowed.keys()]));
        continue;
      }
      const cell = choice[at];
      change({ edge: index, variable, allowed, pinned: { cell } }, cell === undefined ? before : new Set([cell]));
    }
  }

  /**
   * Removes the values with which a comparison has the wrong outcome. Returns whether any are left.
   *
   * @param rights The cells of the other variables of the comparison.
   */
  function narrow(edge: number, { clause, holds }: ClauseLiteral, rights: ReadonlyMap<string, number>): boolean {
    const [left = "", ...others] = comparedVariables(clause);
    const { text } = rightOf(clause);
    const { texts } = cellsOf(left);
    const textOf = (cell: number) =>
      fillRight(text, (name) => (name === left ? texts[cell] : cellsOf(name).texts[rights.get(name) ?? 0]));
    const known = sets.get(left);
    const fitting = [...(known ?? texts.keys())].filter(
      (cell) => compareValues(clause.operator, texts[cell], textOf(cell)) === holds,
    );
    if (fitting.length === 0) fail(edge, [left, ...others]);
    else if (known) change({ edge, variable: left }, new Set(fitting));
    else if (fitting.length < texts.length) {
      fail(edge, [left]);
      return false;
    }
    return fitting.length > 0;
  }

  /** Tries each way in which a comparison can be as wanted, until the rest of the path has values too. */
  function tryWays(edge: number, literal: ClauseLiteral, rest: () => boolean): boolean {
    const [, ...others] = comparedVariables(literal.clause);
    const tryCells = (index: number, rights: ReadonlyMap<string, number>): boolean => {
      const other = others[index];
      if (other === undefined) return tries++ <= MOST_TRIES && narrow(edge, literal, rights) && rest();
      // an unset variable, whose placeholder stays, comes last: no caller would say it
      for (const cell of [...(sets.get(other) ?? [])].sort((a, b) => Number(a === 0) - Number(b === 0))) {
        if (tries > MOST_TRIES) return false;
        const length = changes.length;
        change({ edge, variable: other }, new Set([cell]));
        if (tryCells(index + 1, new Map(rights).set(other, cell))) return true;
        undo(length);
      }
      return false;
    };
    const length = changes.length;
    if (tryCells(0, new Map())) return true;
    undo(length);
    return false;
  }

  /** Only equations with several ways go deeper: a path may have thousands of edges. */
  function solve(start: number, first: Formula): boolean {
    let groups = first;
    for (let at = start; ; groups = readsAt(++at)) {
      for (const [index, group] of groups.entries()) {
        const [only] = group;
        if (group.length === 1 && only && comparedVariables(only.clause).length === 1) {
          if (!narrow(at, only, new Map())) return false;
          continue;
        }
        const rest = groups.slice(index + 1);
        return group.some((literal) => tryWays(at, literal, () => solve(at, rest)));
      }
      const taken = path[at];
      if (!taken) return true;
      write(at, taken);
    }
  }

  function readsAt(index: number): Formula {
    return (path[index]?.edge.reads ?? []).flatMap(({ condition, holds }) =>
      holds ? holding(condition) : failing(condition),
    );
  }

  if (!solve(0, readsAt(0))) {
    const open = (each: Iterable<string>) => [...each].filter((name) => !followed.has(name));
    const conflict = open(failed.names);
    return { conflict: conflict.length > 0 && tries <= MOST_TRIES ? conflict : open(read) };
  }
  return chosen(changes, sets, cellsOf, sources);
}

/** Picks one value of each set, from the end of the path to its start. */
function chosen(
  changes: readonly Change[],
  sets: ReadonlyMap<string, ReadonlySet<number>>,
  cellsOf: (name: string) => Cells,
  sources: VariableSources,
): PathValues {
  const now = new Map([...sets].map(([name, cells]) => [name, [...cells][0] ?? 0]));
  const written = new Map<number, Map<string, string | undefined>>();
  for (const { edge, variable, before, allowed, pinned } of changes.toReversed()) {
    if (!allowed) continue;
    const cell = now.get(variable) ?? 0;
    const isSet = pinned ? pinned.cell !== undefined : allowed.has(cell);
    const values = written.get(edge) ?? new Map<string, string | undefined>();
    written.set(edge, values.set(variable, isSet ? allowed.get(cell) : undefined));
    if (isSet) now.set(variable, [...(before ?? [])][0] ?? 0);
  }
  const start = [...now].flatMap(([name, cell]): [string, string][] => {
    const text = cellsOf(name).from(sources.startOf(name)).get(cell);
    return text === undefined ? [] : [[name, text]];
  });
  return { start: new Map(start), written };
}
