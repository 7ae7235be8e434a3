import { edgesTo } from "./edges_to.ts";
import { type CallEvent, eventsOf } from "./events.ts";
import { explore } from "./explore.ts";
import { MOST_STATES, type Searchable } from "./find_path.ts";
import type { PathAnswer } from "./path.ts";
import { pathOf } from "./path_of.ts";
import type { Entry, Item, Link, Watch } from "./search.ts";
import { type StateTable, stateTable } from "./states.ts";
import { valuesOnPath } from "./values_on_path.ts";
import { variablesOf } from "./variables.ts";

/** What is to stay within reach, and in which states. */
export interface Trap {
  readonly watch: Watch;
  /** Whether the goal must be within reach in this state of the watch. */
  readonly isOpen: (watched: number) => boolean;
  readonly isGoal: (event: CallEvent) => boolean;
}

/**
 * Finds the nearest moment at which the agent waits for the caller and no continuation leads to a goal, or proves that
 * there is none.
 *
 * Equations of variables that are not followed are taken both ways. A state from which no such way leads to the goal is
 * a trap. There is none if every state leads to the goal however these equations turn out. Otherwise the variables
 * between the two are followed, until one of the two holds.
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
  const { graph, edges, cellsOf, sources } = searchable;
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
  const search = { graph, edges, cellsOf, followed, states, watch: trap.watch, linked, mostStates: MOST_STATES };
  const { isComplete } = explore(search, (item, key) => {
    items.set(key, item);
    return false;
  });
  if (!isComplete) return undefined;
  const hits = (link: Link) => link.kind !== "exit" && eventsOf(link.edge).some(trap.isGoal);
  const waiting = [...items].filter(
    ([, { place, state }]) => place.phase === "rest" && trap.isOpen(states.at(state).watched),
  );

  /** States with a way to the goal, within the stay at a global node that they belong to. */
  const reaching = closure([...out.values()].flat().filter(hits), () => true);

  function closure(seeds: readonly Link[], counts: (link: Link) => boolean): ReadonlySet<number> {
    const good = new Set<number>();
    const open: number[] = [];
    const add = (link: Link) => {
      if (good.has(link.from) || !counts(link)) return;
      good.add(link.from);
      open.push(link.from);
    };
    for (const link of seeds) add(link);
    for (let key = open.pop(); key !== undefined; key = open.pop()) for (const link of into.get(key) ?? []) add(link);
    return good;
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

  /** Ways that differ in how equations of variables that are not followed turn out: each of these must be good. */
  function alwaysReaching(): ReadonlySet<number> {
    const left = new Map<number, Map<string, boolean>>();
    for (const [key, links] of out) {
      const groups = new Map<string, boolean>();
      for (const link of links) if (link.kind !== "return") groups.set(groupOf(link), false);
      left.set(key, groups);
    }
    const counts = (link: Link) => {
      if (link.kind === "return" || link.kind === "exit") return false;
      const groups = left.get(link.from);
      groups?.set(groupOf(link), true);
      return groups !== undefined && [...groups.values()].every(Boolean);
    };
    return closure([...out.values()].flat().filter(hits), counts);
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
      const unsure = [...out].flatMap(([key, links]) => (sure.has(key) ? [] : links));
      const names = unsure.flatMap(({ edge }) =>
        (edge.reads ?? []).flatMap(({ condition }) =>
          (condition.equations ?? []).flatMap((clause) => variablesOf(clause, sources)),
        ),
      );
      const more = [...new Set(names)].filter((name) => !followed.includes(name));
      return more.slice(0, Math.max(1, Math.ceil(more.length / 4)));
    },
  };
}

/** Which of a state's unknown equations is true. */
function groupOf({ edge: { reads = [] } }: Link): string {
  return `${reads.length} ${reads.at(-1)?.holds ?? ""}`;
}
