import { explore } from "./explore.ts";
import type { Entry, Item, Link, Watch } from "./search.ts";
import { MOST_STATES } from "./search_for.ts";
import type { Searchable } from "./searchable.ts";
import { type StateTable, stateTable } from "./states.ts";

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
export function recordLinks(
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
