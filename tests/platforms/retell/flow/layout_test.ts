import assert from "node:assert/strict";
import { test } from "node:test";
import { layOutNodes } from "../../../../platforms/retell/flow/tools.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";

const to = (target: string) => ({ target_node_id: target, condition: { type: "always" } });

test("layout() has a column for each step from the entry, and other nodes in the last row", () => {
  const graph = parseGraph({
    entry_node_id: "a",
    nodes: {
      lost: {},
      alone: { transitions: [to("a")] },
      c: { transitions: [to("d"), to("a")] },
      b: { transitions: [to("d")] },
      a: { transitions: [to("b"), to("c")] },
      d: {},
    },
  });
  const positionOf = layOutNodes(graph);
  assert.deepEqual(Object.fromEntries(Object.keys(graph.nodes).map((id) => [id, Object.values(positionOf(id))])), {
    a: [0, 0],
    b: [600, 0],
    c: [600, 400],
    d: [1200, 0],
    lost: [0, 800],
    alone: [600, 800],
  });
  assert.deepEqual(positionOf("gone"), { x: 0, y: 0 });
});
