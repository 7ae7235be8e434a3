import { type AgentGraph, type EquationClause, type TransitionCondition, toGraph } from "../../graph/mod.ts";
import { own } from "../../values/mod.ts";
import { type Cells, cellsOf } from "./cells.ts";
import { type Edges, edgesOf } from "./edges.ts";
import { edgesTo } from "./edges_to.ts";
import type { CallEvent } from "./events.ts";
import { explore } from "./explore.ts";
import type { CallPath, Goal, PathAnswer } from "./path.ts";
import { pathOf } from "./path_of.ts";
import type { Item, Watch } from "./search.ts";
import { type StateTable, stateTable } from "./states.ts";
import { valuesOnPath } from "./values_on_path.ts";
import { type VariableSources, variableSources, variablesOf } from "./variables.ts";

/** Most states of a search. */
export const MOST_STATES = 1_000_000;

/** Finds paths through one graph; what is found out about the graph is kept between searches. */
export interface PathFinder {
  readonly find: (goal: Goal) => PathAnswer;
}

/** A graph as searches use it. */
export interface Searchable {
  readonly graph: AgentGraph;
  readonly sources: VariableSources;
  readonly edges: Edges;
  /** All comparisons: those of the graph, and those that searches ask for. */
  readonly clauses: readonly EquationClause[];
  readonly cellsOf: (name: string) => Cells;
  /** The variables that conditions ask for. */
  readonly variablesIn: (conditions: readonly TransitionCondition[]) => readonly string[];
}

/** Prepares a graph for searches. `conditions` are those that searches ask for besides the graph's own. */
export function searchable(graph: AgentGraph, conditions: readonly TransitionCondition[] = []): Searchable {
  const own = Object.values(graph.nodes).flatMap(({ transitions, global_node_setting: setting }) => [
    ...transitions.map(({ condition }) => condition),
    ...(setting?.go_back_conditions ?? []).map(({ condition }) => condition),
  ]);
  const clauses = [...own, ...conditions].flatMap(({ equations }) => equations ?? []);
  const sources = variableSources(graph, clauses);
  const variablesIn = (asked: readonly TransitionCondition[]) => [
    ...new Set(asked.flatMap(({ equations }) => (equations ?? []).flatMap((clause) => variablesOf(clause, sources)))),
  ];
  return { graph, sources, clauses, edges: edgesOf(graph, sources), cellsOf: cellsOf(clauses, sources), variablesIn };
}

/**
 * Finds a shortest path to a goal, or proves that no call reaches it.
 *
 * Every decision is free: the model may pick any offer or none, a tool may succeed or fail, an extraction may find any
 * value of its type or none, a call may start with any dynamic variables. Equations are decided as calls decide them.
 *
 * @throws {GraphError} `not-a-graph`.
 */
export function findPath(graph: AgentGraph, goal: Goal): PathAnswer {
  return pathFinder(graph).find(goal);
}

/**
 * Prepares a graph for many searches, such as one for each transition: all are answered from one pass where possible.
 *
 * @throws {GraphError} `not-a-graph`.
 */
export function pathFinder(source: AgentGraph): PathFinder {
  const graph = toGraph(source, "Cannot find paths");
  const plain = searchable(graph);
  let nearest: ReadonlyMap<string, Item> | undefined;
  return {
    find: (goal) => {
      if ("while" in goal) {
        const asked = searchable(graph, [goal.while]);
        return searchFor(asked, watchOf(asked, goal));
      }
      nearest ??= nearestItems(plain);
      const found = nearest.get(goalKey(graph, goal));
      if (!found && nearest.size > 0) return { kind: "none" };
      const end = found && endOfTurn(plain, found);
      const taken = end ? edgesTo(end) : [];
      const states = stateTable([], plain.cellsOf, plain.sources);
      const values = valuesOnPath(taken, states, plain.cellsOf, plain.sources);
      if (end && !("conflict" in values)) return { kind: "found", path: pathOf(graph, taken, values) };
      const watch = watchOf(plain, goal);
      return searchFor(plain, { ...watch, variables: "conflict" in values ? values.conflict : [] });
    },
  };
}

/** The shortest way to each goal when equations may go any way; empty where there are too many states. */
function nearestItems({ graph, edges, cellsOf, sources }: Searchable): ReadonlyMap<string, Item> {
  const nearest = new Map<string, Item>();
  const states = stateTable([], cellsOf, sources);
  const watch: Watch = { variables: [], start: 0, next: (state) => state };
  const keep = (key: string, item: Item) => {
    const known = nearest.get(key);
    if (!known || item.distance < known.distance) nearest.set(key, item);
  };
  const seen = (item: Item) => {
    for (const step of item.edge.steps) {
      if (step.kind === "open") keep(`node ${step.node}`, item);
      if (step.kind !== "move") continue;
      for (const key of keysOf({ ...step, node: step.to })) keep(key, item);
    }
  };
  const search = { graph, edges, cellsOf, states, watch, followed: [], seen, mostStates: MOST_STATES };
  return explore(search, () => false).isComplete ? nearest : new Map();
}

/** The nearest state after this one in which the agent waits for the caller, or the call is over. */
function endOfTurn({ graph, edges, cellsOf, sources }: Searchable, from: Item): Item | undefined {
  const states = stateTable([], cellsOf, sources);
  states.starts(0); // the state that an earlier search has used
  const watch: Watch = { variables: [], start: 0, next: (state) => state };
  let end: Item | undefined;
  explore({ graph, edges, cellsOf, states, watch, followed: [], from, mostStates: MOST_STATES }, (item) => {
    if (isEndOfTurn(item)) end = item;
    return end !== undefined;
  });
  return end;
}

function isEndOfTurn({ place: { phase } }: Item): boolean {
  return phase === "rest" || phase === "over";
}

/** Searches for the nearest end of a turn in which the watch has reached `reached`, 1 by default. */
export function searchFor(
  { graph, edges, cellsOf, sources }: Searchable,
  watch: Watch,
  isReached: (watched: number) => boolean = (watched) => watched === 1,
  startAt?: (state: number) => Item,
): PathAnswer {
  let followed: readonly string[] = watch.variables;
  for (;;) {
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
      mostStates: MOST_STATES,
      ...(from ? { from } : {}),
    };
    const { isComplete } = explore(search, (item) => {
      if (!isEndOfTurn(item) || !isReached(states.at(item.state).watched)) return false;
      found = item;
      return true;
    });
    if (!found) {
      if (!isComplete) return { kind: "unknown", reason: `calls can be in more than ${MOST_STATES} states` };
      const inexact = followed.find((name) => !cellsOf(name).isExact);
      if (inexact === undefined) return { kind: "none" };
      return { kind: "unknown", reason: `variable "${inexact}" is compared with another variable` };
    }
    const taken = edgesTo(found);
    const values = valuesOnPath(taken, states, cellsOf, sources);
    if (!("conflict" in values)) {
      const path: CallPath = pathOf(graph, taken, values);
      return { kind: "found", path };
    }
    followed = [...followed, ...values.conflict];
  }
}

function watchOf({ graph, variablesIn }: Searchable, goal: Goal): Watch {
  const at = "node" in goal ? goal.node : "";
  const key = goalKey(graph, goal);
  return {
    variables: "while" in goal ? variablesIn([goal.while]) : [],
    start: 0,
    next: (state, event, holds) => {
      if (state === 1) return 1;
      if ("while" in goal)
        return (event.kind === "enter" || event.kind === "set") && event.node === at && holds(goal.while) ? 1 : 0;
      return event.kind === "enter" && keysOf(event).includes(key) ? 1 : 0;
    },
  };
}

function keysOf(entry: Omit<Extract<CallEvent, { kind: "enter" }>, "kind">): readonly string[] {
  const { node, from, by, transition, goBack } = entry;
  return [
    `node ${node}`,
    ...(transition === undefined ? [] : [`transition ${transition} ${from}`]),
    ...(by === "global" ? [`global ${node}`] : []),
    ...(by === "go-back" ? [`back ${from}`, `back ${goBack} ${from}`] : []),
  ];
}

/** Transitions on offer that lead to the same node count as the first of them. */
function goalKey(graph: AgentGraph, goal: Goal): string {
  if ("node" in goal) return `node ${goal.node}`;
  if ("global" in goal) return `global ${goal.global}`;
  if ("goBackFrom" in goal) return goBackKey(graph, goal);
  const { from, transition: index } = goal;
  const transitions = own(graph.nodes, from)?.transitions ?? [];
  const wanted = transitions[index];
  const first =
    wanted?.condition.type === "llm_prompt"
      ? transitions.findIndex(
          ({ condition, target_node_id: target }) =>
            condition.type === "llm_prompt" && target === wanted.target_node_id,
        )
      : index;
  return `transition ${first} ${from}`;
}

/** Go-back conditions on offer count as the first of them. */
function goBackKey(graph: AgentGraph, { goBackFrom: id, condition }: Extract<Goal, { goBackFrom: string }>): string {
  if (condition === undefined) return `back ${id}`;
  const backs = own(graph.nodes, id)?.global_node_setting?.go_back_conditions ?? [];
  const isOffered = (index: number) => backs[index]?.condition.type === "llm_prompt";
  return `back ${isOffered(condition) ? [...backs.keys()].find(isOffered) : condition} ${id}`;
}
