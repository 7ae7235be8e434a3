import { edgesTo } from "./edges_to.ts";
import { explore } from "./explore.ts";
import { knowledgeTable } from "./knowledge.ts";
import type { CallPath, PathAnswer } from "./path.ts";
import { pathOf } from "./path_of.ts";
import type { Item, SearchBudget, Watch } from "./search.ts";
import type { Searchable } from "./searchable.ts";
import { type StateTable, stateTable } from "./states.ts";
import { valuesOnPath } from "./values_on_path.ts";

/** Maximum number of states of a search. */
export const MOST_STATES = 1_000_000;
/** Maximum number of states of a search that follows what equations have shown. Each costs more than one with values. */
export const MOST_KNOWING_STATES = 50_000;
/** How many states with values take as long as one that holds what equations have shown. */
const COST_OF_KNOWING = 20;
/** The reason for `unknown` when other searches have used up the shared budget. */
const NO_BUDGET = "the graph has too many combinations of values to search them all";
/** The reason for `unknown` when a path has no values although all its variables are followed. */
export const NO_VALUES = "no values were found for a path";

/** Searches for the nearest end of a turn in which the watch has reached `reached`, 1 by default. */
export function searchFor(
  searchable: Searchable,
  watch: Watch,
  isReached: (watched: number) => boolean = (watched) => watched === 1,
  startAt?: (state: number) => Item,
  budget: SearchBudget = { left: Number.POSITIVE_INFINITY },
): PathAnswer {
  const { graph, edges, cellsOf, sources } = searchable;
  let followed: readonly string[] = watch.variables;
  for (;;) {
    if (budget.left <= 0) return { kind: "unknown", reason: NO_BUDGET };
    const states: StateTable = stateTable(followed, cellsOf, sources);
    let found: Item | undefined;
    const from = startAt?.(states.starts(watch.start)[0] ?? 0);
    const search = {
      graph,
      edges,
      cellsOf,
      followed,
      states,
      watch,
      mostStates: Math.min(MOST_STATES, budget.left),
      ...(from ? { from } : {}),
    };
    const { isComplete, visited } = explore(search, (item) => {
      if (!isEndOfTurn(item) || !isReached(states.at(item.state).watched)) return false;
      found = item;
      return true;
    });
    budget.left -= visited;
    if (!found) {
      const inexact = followed.find((name) => !cellsOf(name).isExact);
      if (isComplete && inexact === undefined) return { kind: "none" };
      const answer = startAt ? undefined : searchKnowing(searchable, watch, isReached, budget);
      if (answer) return answer;
      if (budget.left <= 0) return { kind: "unknown", reason: NO_BUDGET };
      if (!isComplete) return { kind: "unknown", reason: `calls can be in more than ${MOST_STATES} states` };
      return { kind: "unknown", reason: `variable "${inexact}" is compared with another variable` };
    }
    const taken = edgesTo(found);
    const values = valuesOnPath(taken, states, cellsOf, sources);
    if (!("conflict" in values)) {
      const path: CallPath = pathOf(graph, taken, values);
      return { kind: "found", path };
    }
    if (values.conflict.length === 0) return { kind: "unknown", reason: NO_VALUES };
    followed = [...followed, ...values.conflict];
  }
}

/**
 * Searches by what equations have shown, instead of values, and then looks for values for the path.
 *
 * @returns `undefined` when a path was found that may be impossible, or none within the limits.
 */
export function searchKnowing(
  searchable: Searchable,
  watch: Watch,
  isReached: (watched: number) => boolean = (watched) => watched === 1,
  budget: SearchBudget = { left: Number.POSITIVE_INFINITY },
): PathAnswer | undefined {
  if (budget.left <= 0) return undefined;
  const { graph, edges, cellsOf, sources } = searchable;
  const states = knowledgeTable(searchable);
  let found: Item | undefined;
  const mostStates = Math.min(MOST_KNOWING_STATES, budget.left);
  const search = { graph, edges, cellsOf, followed: [], states, watch, mostStates };
  const { isComplete, visited } = explore(search, (item) => {
    if (!isEndOfTurn(item) || !isReached(states.at(item.state).watched)) return false;
    found = item;
    return true;
  });
  budget.left -= visited * COST_OF_KNOWING;
  if (!found) return isComplete ? { kind: "none" } : undefined;
  if (watch.variables.length > 0) return undefined; // values that the watch asks for are not part of the path
  const taken = edgesTo(found);
  const values = valuesOnPath(taken, stateTable([], cellsOf, sources), cellsOf, sources);
  return "conflict" in values ? undefined : { kind: "found", path: pathOf(graph, taken, values) };
}

/** Whether the agent waits for the caller, or the call is over. */
export function isEndOfTurn({ place: { phase } }: Item): boolean {
  return phase === "rest" || phase === "over";
}
