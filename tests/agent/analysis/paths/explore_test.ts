import assert from "node:assert/strict";
import { test } from "node:test";
import { explore } from "../../../../src/agent/analysis/paths/explore.ts";
import { searchable } from "../../../../src/agent/analysis/paths/searchable.ts";
import { type StateTable, stateTable } from "../../../../src/agent/analysis/paths/states.ts";
import { end, graphOf, llm, says } from "../_graphs.ts";

/** A table that numbers its states from a first number on. */
function numberedFrom(first: number, table: StateTable): StateTable {
  const inner = (state: number) => state - first;
  return {
    ...table,
    at: (state) => table.at(inner(state)),
    starts: (watched) => table.starts(watched).map((state) => state + first),
    watched: (state, watched) => table.watched(inner(state), watched) + first,
    written: (state, writes, choice) => table.written(inner(state), writes, choice) + first,
    truth: (state, condition) => table.truth(inner(state), condition),
    mayHold: (state, condition) => table.mayHold(inner(state), condition),
    read: (state, reads) => {
      const after = table.read(inner(state), reads);
      return after === undefined ? undefined : after + first;
    },
  };
}

test("explore() stops as incomplete when a state's number has more bits than a key has for it", () => {
  const graph = graphOf({
    ask: says("Ask.", llm("tell", "Has a plan")),
    tell: says("Tell.", llm("bye", "Done")),
    bye: end,
  });
  const { edges, cellsOf, sources } = searchable(graph);
  const visitFrom = (first: number) => {
    const states = numberedFrom(first, stateTable([], cellsOf, sources));
    const watch = { variables: [], start: 0, next: (state: number) => state };
    const search = { graph, edges, cellsOf, states, watch, followed: [], mostStates: 1_000 };
    return explore(search, () => false);
  };
  const all = visitFrom(0);
  assert.ok(all.isComplete);
  assert.deepEqual(visitFrom(2 ** 24 - 1), all);
  assert.deepEqual(visitFrom(2 ** 24), { isComplete: false, visited: 0 });
});
