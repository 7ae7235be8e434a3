import { comparedVariables } from "../equations/mod.ts";
import { edgesTo } from "./edges_to.ts";
import { type CallEvent, eventsOf } from "./events.ts";
import { explore } from "./explore.ts";
import type { PathAnswer } from "./path.ts";
import { pathOf } from "./path_of.ts";
import type { Entry, Item, Link, Watch } from "./search.ts";
import { MOST_STATES, NO_VALUES } from "./search_for.ts";
import type { Searchable } from "./searchable.ts";
import { type StateTable, stateTable } from "./states.ts";
import { type Taken, valuesOnPath } from "./values_on_path.ts";

/** Most silent nodes between one that sets a variable and one that asks for it. */
const MOST_SILENT = 8;
/** Maximum number of states to look at to find a way. */
const MOST_LOOKED_AT = 300;

/** The goal that must stay reachable, and in which states. */
export interface Trap {
  readonly watch: Watch;
  /** Whether the goal must be reachable in this state of the watch. */
  readonly isOpen: (watched: number) => boolean;
  readonly isGoal: (event: CallEvent) => boolean;
}

/**
 * Finds the nearest moment at which the agent waits for the caller and no continuation reaches a goal, or proves that
 * there is none.
 *
 * Equations of variables that are not followed may be true or false. If no continuation of a state reaches the goal,
 * the state is a trap. If every state reaches the goal whatever these equations are, there is no trap. If neither is
 * proved, more variables are followed, and the search runs again.
 */
export function searchForTrap(searchable: Searchable, trap: Trap): PathAnswer {
  const { graph, cellsOf, sources } = searchable;
  let followed: readonly string[] = trap.watch.variables;
  for (;;) {
    const space = spaceOf(searchable, trap, followed);
    if (!space) return { kind: "unknown", reason: `calls can be in more than ${MOST_STATES} states` };
    const found = space.trapped();
    if (found) {
      const taken = edgesTo(found.item, found.chain);
      const values = valuesOnPath(taken, space.states, cellsOf, sources);
      if (!("conflict" in values)) return { kind: "found", path: pathOf(graph, taken, values) };
      if (values.conflict.length === 0) return { kind: "unknown", reason: NO_VALUES };
      followed = [...followed, ...values.conflict];
      continue;
    }
    const more = space.undecided();
    if (more.length > 0) {
      followed = [...followed, ...more];
      continue;
    }
    const inexact = followed.find((name) => !cellsOf(name).isExact);
    if (inexact === undefined) return { kind: "none" };
    return { kind: "unknown", reason: `variable "${inexact}" is compared with another variable` };
  }
}

/** The states of a graph and the ways between them. */
interface Space {
  readonly states: StateTable;
  /** The nearest trap, with how the global nodes on the way to it were entered. */
  readonly trapped: () => { readonly item: Item; readonly chain: readonly Entry[] } | undefined;
  /** Variables that are not followed, and on which it depends whether a state leads to the goal. */
  readonly undecided: () => readonly string[];
}

function spaceOf(searchable: Searchable, trap: Trap, followed: readonly string[]): Space | undefined {
  const { cellsOf, sources } = searchable;
  const recorded = recordLinks(searchable, trap.watch, followed);
  if (!recorded) return undefined;
  const { states, items, out, into, returns } = recorded;
  const hits = (link: Link) => link.kind !== "exit" && eventsOf(link.edge).some(trap.isGoal);
  const waiting = [...items].filter(
    ([, { place, state }]) => place.phase === "rest" && trap.isOpen(states.at(state).watched),
  );

  /** States with a way to the goal, within the stay at a global node that they belong to. */
  const reaching = new Set<number>();
  const grown = [...out.values()].flat().filter(hits);
  for (let link = grown.pop(); link; link = grown.pop()) {
    if (reaching.has(link.from)) continue;
    reaching.add(link.from);
    for (const before of into.get(link.from) ?? []) grown.push(before);
  }

  /** The states of a stay that these lead to. */
  function within(frame: Item["frame"], from: readonly number[]): ReadonlySet<number> {
    const seen = new Set(from);
    const open = [...from];
    for (let key = open.pop(); key !== undefined; key = open.pop())
      for (const { kind, to } of out.get(key) ?? []) {
        if ((kind !== "step" && kind !== "return") || seen.has(to) || items.get(to)?.frame !== frame) continue;
        seen.add(to);
        open.push(to);
      }
    return seen;
  }

  /** How a stay was entered if none of these states leads to the goal, even once the stay is over. */
  function failing(frame: Item["frame"], keys: readonly number[], tried: Set<string>): readonly Entry[] | undefined {
    if (keys.some((key) => reaching.has(key))) return undefined;
    if (frame.entries.length === 0) return [];
    const name = `${frame.id}: ${[...keys].sort((a, b) => a - b).join()}`;
    if (tried.has(name)) return undefined;
    tried.add(name);
    const inside = within(frame, keys);
    for (const entry of frame.entries) {
      const ways = (returns.get(entry) ?? []).filter(({ exit }) => exit !== undefined && inside.has(exit));
      if (ways.some(hits)) continue;
      const outside = failing(entry.item.frame, [...new Set(ways.map(({ to }) => to))], tried);
      if (outside) return [entry, ...outside];
    }
    return undefined;
  }

  /**
   * States that lead to the goal for all values of the variables that are not followed: if an equation decides between
   * several ways, all of them must lead there, unless the turn itself sets the variable that the equation reads.
   */
  function alwaysReaching(): ReadonlySet<number> {
    const left = new Map<number, Map<string, boolean>>();
    for (const [key, links] of out) {
      const groups = new Map<string, boolean>();
      for (const link of links) if (link.kind !== "return") groups.set(groupOf(link), false);
      left.set(key, groups);
    }
    const good = new Set<number>();
    const open: number[] = [];
    const candidates: number[] = [];
    const mark = (key: number) => {
      if (good.has(key)) return;
      good.add(key);
      open.push(key);
    };
    const count = (link: Link) => {
      if (link.kind === "return" || link.kind === "exit") return;
      const groups = left.get(link.from);
      groups?.set(groupOf(link), true);
      if (groups && [...groups.values()].every(Boolean)) mark(link.from);
    };
    for (const links of out.values())
      for (const link of links) {
        if (!hits(link)) continue;
        count(link);
        candidates.push(link.from, ...settersBefore(link.from));
      }
    for (;;) {
      const key = open.pop();
      if (key !== undefined) {
        for (const link of into.get(key) ?? []) count(link);
        candidates.push(...settersBefore(key));
        continue;
      }
      const candidate = candidates.pop();
      if (candidate === undefined) return good;
      if (!good.has(candidate) && wayFrom(candidate, (to) => good.has(to), true).isOpen) mark(candidate);
    }
  }

  /** States of the same turn that set variables on the way to this one. */
  function settersBefore(key: number): readonly number[] {
    const found: number[] = [];
    const seen = new Set([key]);
    let edge = [key];
    for (let depth = 0; depth < MOST_SILENT && edge.length > 0; depth++) {
      const before: number[] = [];
      for (const { kind, from, edge: via } of edge.flatMap((each) => into.get(each) ?? [])) {
        if (kind !== "step" || seen.has(from) || items.get(from)?.place.phase === "rest") continue;
        seen.add(from);
        before.push(from);
        if (via.writes && via.writes.length > 0) found.push(from);
      }
      edge = before;
    }
    return found;
  }

  /** Searches a way to the goal, or to a good state, that exists for all values of other variables. */
  function wayFrom(
    key: number,
    isGood: (key: number) => boolean,
    isOneTurn: boolean,
  ): { readonly isOpen: boolean; readonly conflict: readonly string[] } {
    const paths = new Map<number, readonly Taken[]>([[key, []]]);
    const open = [key];
    let conflict: readonly string[] = [];
    for (let index = 0; index < open.length && index < MOST_LOOKED_AT; index++) {
      const at = open[index] ?? key;
      for (const link of out.get(at) ?? []) {
        const { kind, to, edge, choice } = link;
        if (kind === "exit" || (isOneTurn && kind === "return")) continue;
        const path = [...(paths.get(at) ?? []), { edge, choice, state: items.get(to)?.state ?? 0 }];
        if (hits(link) || isGood(to)) {
          const startState = items.get(key)?.state ?? 0;
          const values = valuesOnPath(path, states, cellsOf, sources, { startState, isUnderWay: true });
          if (!("conflict" in values)) return { isOpen: true, conflict: [] };
          if (conflict.length === 0) conflict = values.conflict;
        } else if (!paths.has(to) && !(isOneTurn && items.get(to)?.place.phase === "rest")) {
          paths.set(to, path);
          open.push(to);
        }
      }
    }
    return { isOpen: false, conflict };
  }

  return {
    states,
    trapped: () => {
      for (const [key, item] of waiting) {
        if (reaching.has(key)) continue;
        const chain = failing(item.frame, [key], new Set());
        if (chain) return { item, chain };
      }
      return undefined;
    },
    undecided: () => {
      const sure = alwaysReaching();
      const open = waiting.filter(([key]) => !sure.has(key));
      if (open.length === 0) return [];
      const [first] = open;
      const { conflict } = first ? wayFrom(first[0], () => false, false) : { conflict: [] };
      const needed = conflict.filter((name) => !followed.includes(name));
      if (needed.length > 0) return needed;
      const unsure = [...out].flatMap(([key, links]) => (sure.has(key) ? [] : links));
      const names = unsure.flatMap(({ edge }) =>
        (edge.reads ?? []).flatMap(({ condition }) => (condition.equations ?? []).flatMap(comparedVariables)),
      );
      const more = [...new Set(names)].filter((name) => !followed.includes(name));
      return more.slice(0, 1);
    },
  };
}

/** Which of a state's unknown equations is true. */
function groupOf({ edge: { reads = [] } }: Link): string {
  return `${reads.length} ${reads.at(-1)?.holds ?? ""}`;
}

/** Every state that calls can reach, nearest first, and the ways between them. */
export interface RecordedLinks {
  readonly states: StateTable;
  readonly items: ReadonlyMap<number, Item>;
  readonly out: ReadonlyMap<number, readonly Link[]>;
  readonly into: ReadonlyMap<number, readonly Link[]>;
  /** Ways back to where a global node was entered. */
  readonly returns: ReadonlyMap<Entry, readonly Link[]>;
}

/** Goes through all states; `undefined` where there are too many. */
function recordLinks(
  { graph, edges, cellsOf, sources }: Searchable,
  watch: Watch,
  followed: readonly string[],
): RecordedLinks | undefined {
  const states = stateTable(followed, cellsOf, sources);
  const items = new Map<number, Item>();
  const out = new Map<number, Link[]>();
  const into = new Map<number, Link[]>();
  const returns = new Map<Entry, Link[]>();
  const push = <Key>(map: Map<Key, Link[]>, key: Key, link: Link) => {
    const known = map.get(key);
    if (known) known.push(link);
    else map.set(key, [link]);
  };
  const linked = (link: Link) => {
    push(out, link.from, link);
    if (link.kind !== "exit") push(into, link.to, link);
    if (link.entry) push(returns, link.entry, link);
  };
  const search = { graph, edges, cellsOf, followed, states, watch, linked, mostStates: MOST_STATES };
  const { isComplete } = explore(search, (item, key) => {
    items.set(key, item);
    return false;
  });
  return isComplete ? { states, items, out, into, returns } : undefined;
}
