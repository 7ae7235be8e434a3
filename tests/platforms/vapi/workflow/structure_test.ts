import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentGraph, Transition } from "../../../../src/graph/mod.ts";
import { DOCUMENTS, emitted, imported, saved } from "./documents.ts";

type Change = (transitions: readonly Transition[], target: string) => readonly Transition[];

const added = (target: string): Transition => ({
  target_node_id: target,
  condition: { type: "llm_prompt", value: "Caller asks for something else" },
});

const CHANGES: readonly (readonly [string, Change])[] = [
  ["adds an edge in front", (transitions, target) => [added(target), ...transitions]],
  ["adds an edge behind", (transitions, target) => [...transitions, added(target)]],
  ["reverses edges", (transitions) => transitions.toReversed()],
  ["takes an edge out", (transitions) => transitions.slice(1)],
  ["retargets", ([first, ...rest], target) => (first ? [{ ...first, target_node_id: target }, ...rest] : [])],
];

/** What a graph says of where calls go. */
function ways({ nodes, entry_node_id: entry }: AgentGraph): unknown {
  const found = Object.values(nodes).map(({ id, transitions }): [string, unknown] => [
    id,
    transitions.map(({ target_node_id: target, condition }) => [target, condition]),
  ]);
  return [entry, Object.fromEntries(found)];
}

test("structural edits of a workflow's edges are written and read back in their order", { timeout: 120_000 }, () => {
  let count = 0;
  for (const [name, document] of DOCUMENTS) {
    const before = imported(document);
    const talks = Object.values(before.nodes).filter(
      ({ node_type: type, transitions }) =>
        type === "conversation" && !transitions.some(({ target_node_id: target }) => target.includes(" > ")),
    );
    for (const node of talks)
      for (const target of talks.filter(({ id }) => id !== node.id))
        for (const [what, change] of CHANGES) {
          const edited = { ...node, transitions: change(node.transitions, target.id) };
          const graph = saved({ ...before, nodes: { ...before.nodes, [node.id]: edited } });
          assert.deepEqual(ways(imported(emitted(graph))), ways(graph), `${name}: ${node.id} ${what}`);
          count++;
        }
  }
  assert.ok(count >= 20, `${count} edits`);
});
