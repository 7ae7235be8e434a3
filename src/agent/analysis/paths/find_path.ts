import { GraphError } from "../../../base/errors.ts";
import { checkOptions, OPTION, own } from "../../../base/values/mod.ts";
import { type AgentGraph, toGraph } from "../../../document/graph/mod.ts";
import { edgesTo } from "./edges_to.ts";
import type { CallEvent } from "./events.ts";
import { explore } from "./explore.ts";
import { knowledgeTable } from "./knowledge.ts";
import type { EvaluatedClause, Goal, PathAnswer } from "./path.ts";
import { pathOf } from "./path_of.ts";
import type { Item, SearchBudget, Watch } from "./search.ts";
import { isEndOfTurn, MOST_KNOWING_STATES, MOST_STATES, searchFor, searchKnowing } from "./search_for.ts";
import { type Searchable, searchable } from "./searchable.ts";
import { type StateTable, stateTable } from "./states.ts";
import { valuesOnPath } from "./values_on_path.ts";

/** Finds paths through one graph, and caches what it learns about the graph between searches. */
export interface PathFinder {
  readonly find: (goal: Goal) => PathAnswer;
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

/** Options of {@link pathFinder}. */
export interface PathFinderOptions {
  /**
   * Maximum number of states that all searches together may visit after the common pass. Searches beyond it answer
   * `unknown`. Default: no common limit; each search has its own.
   */
  readonly mostStates?: number;
}

/**
 * Prepares a graph for many searches, such as one for each transition: all are answered from one pass where possible.
 *
 * @throws {GraphError} `not-a-graph`, `invalid-option`.
 */
export function pathFinder(source: AgentGraph, options: PathFinderOptions = {}): PathFinder {
  const graph = toGraph(source, "Cannot find paths");
  checkOptions(options, { mostStates: OPTION.count }, GraphError, "Cannot find paths");
  const budget = { left: options.mostStates ?? Number.POSITIVE_INFINITY };
  const find = finderOf(searchable(graph), budget);
  let findClause: PathFinder["find"] | undefined;
  return {
    find: (goal) => {
      if ("while" in goal) {
        const asked = searchable(graph, { conditions: [goal.while] });
        return searchFor(asked, watchOf(asked, goal));
      }
      if (!("evaluates" in goal)) return find(goal);
      findClause ??= finderOf(searchable(graph, { hasEvaluations: true }), budget);
      return findClause(goal);
    },
  };
}

function finderOf(plain: Searchable, budget: SearchBudget): PathFinder["find"] {
  const { graph } = plain;
  let nearest: ReadonlyMap<string, Item> | undefined;
  let possible: ReadonlyMap<string, Item> | undefined;
  /** The answer when variables are compared with each other: trying sample values proves nothing. */
  const findKnowing = (goal: Goal, watch: Watch): PathAnswer | undefined => {
    possible ??= nearestItems(plain, knowledgeTable(plain), MOST_KNOWING_STATES);
    if (possible.size === 0) return undefined;
    return possible.has(goalKey(graph, goal)) ? searchKnowing(plain, watch, undefined, budget) : { kind: "none" };
  };
  return (goal) => {
    nearest ??= nearestItems(plain, stateTable([], plain.cellsOf, plain.sources));
    const found = nearest.get(goalKey(graph, goal));
    if (!found && nearest.size > 0) return { kind: "none" };
    const end = found && endOfTurn(plain, found);
    const taken = end ? edgesTo(end) : [];
    const states = stateTable([], plain.cellsOf, plain.sources);
    const values = valuesOnPath(taken, states, plain.cellsOf, plain.sources);
    if (end && !("conflict" in values)) return { kind: "found", path: pathOf(graph, taken, values) };
    const variables = "conflict" in values ? values.conflict : [];
    const watch = watchOf(plain, goal);
    const isExact = variables.every((name) => plain.cellsOf(name).isExact);
    return (
      (isExact ? undefined : findKnowing(goal, watch)) ??
      searchFor(plain, { ...watch, variables }, undefined, undefined, budget)
    );
  };
}

/** The shortest path to each goal as far as a table follows equations; empty if there are too many states. */
function nearestItems(
  { graph, edges, cellsOf }: Searchable,
  states: StateTable,
  mostStates = MOST_STATES,
): ReadonlyMap<string, Item> {
  const nearest = new Map<string, Item>();
  const watch: Watch = { variables: [], start: 0, next: (state) => state };
  const keep = (key: string, item: Item) => {
    const known = nearest.get(key);
    if (!known || item.distance < known.distance) nearest.set(key, item);
  };
  const seen = (item: Item) => {
    const { evaluates, steps } = item.edge;
    if (evaluates) keep(clauseKey(evaluates), item);
    for (const step of steps) {
      if (step.kind === "open") keep(`node ${step.node}`, item);
      if (step.kind === "extract") keep(`extract ${step.node}`, item);
      if (step.kind !== "move") continue;
      for (const key of keysOf({ ...step, node: step.to })) keep(key, item);
    }
  };
  const search = { graph, edges, cellsOf, states, watch, followed: [], seen, mostStates };
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
      if (event.kind === "evaluate") return clauseKey(event) === key ? 1 : 0;
      if ("extracts" in goal) return event.kind === "set" && event.node === goal.extracts ? 1 : 0;
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
  if ("extracts" in goal) return `extract ${goal.extracts}`;
  if ("evaluates" in goal) return clauseKey(goal.evaluates);
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

function clauseKey({ node, of, index, clause, isTrue }: EvaluatedClause): string {
  return `clause ${of} ${index} ${clause} ${isTrue} ${node}`;
}
