import { own } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { cellsOf } from "./cells.ts";
import type { CallEvent } from "./events.ts";
import type { PathAnswer } from "./path.ts";
import type { Frame, Item } from "./search.ts";
import { searchFor } from "./search_for.ts";
import { type Searchable, searchable } from "./searchable.ts";
import { variableSources } from "./variables.ts";

/** A moment of a call at which the agent waits for the caller. */
export interface CallPosition {
  readonly node: string;
  /** Nodes from which global nodes were entered, oldest first. */
  readonly originators: readonly string[];
  readonly variables: ReadonlyMap<string, string>;
  /** Whether the agent has spoken at the node. */
  readonly spoken: boolean;
}

/** Finds the shortest continuation of a call to an event, or proves that there is none. */
export function searchFrom(
  graph: AgentGraph,
  position: CallPosition,
  isGoal: (event: CallEvent) => boolean,
): PathAnswer {
  const prepared = preparedAt(graph, position);
  const isGlobal = (id: string) => Boolean(own(graph.nodes, id)?.global_node_setting);
  let frames = 0;

  function waitingAt(node: string, depth: number, state: number, spoken: boolean): Item {
    const place = prepared.edges.placeOf(node, "rest", { spoken });
    return {
      frame: frameAt(node, depth, state),
      place,
      state,
      distance: 0,
      edge: { steps: [], to: place },
      choice: [],
    };
  }

  function frameAt(node: string, depth: number, state: number): Frame {
    const plain: Frame = { id: 0, top: undefined, canGoBack: false, entries: [], exits: [], first: undefined };
    if (!isGlobal(node)) return plain;
    frames += 1;
    const top = position.originators[depth - 1];
    if (top === undefined) return { ...plain, id: frames, entries: [] };
    const item = waitingAt(top, depth - 1, state, false);
    const entries = [{ item, edge: item.edge, choice: [] }];
    return { ...plain, id: frames, top: isGlobal(top) ? top : undefined, canGoBack: true, entries };
  }

  const watch = {
    variables: [],
    start: 0,
    next: (state: number, event: CallEvent) => (state === 1 || isGoal(event) ? 1 : 0),
  };
  const start = (state: number) => waitingAt(position.node, position.originators.length, state, position.spoken);
  return searchFor(prepared, watch, (watched) => watched === 1, start);
}

/** The graph, with calls that start with the values of the position. */
function preparedAt(graph: AgentGraph, { variables }: CallPosition): Searchable {
  const prepared = searchable(graph);
  const sources = variableSources(graph, (name) => {
    const text = variables.get(name);
    return { kind: "text", values: text === undefined ? [] : [text], mayBeUnset: text === undefined };
  });
  return { ...prepared, sources, cellsOf: cellsOf(prepared.clauses, sources) };
}
