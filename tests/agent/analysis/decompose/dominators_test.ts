import assert from "node:assert/strict";
import { test } from "node:test";
import { dominatorsOf } from "../../../../src/agent/analysis/decompose/shared_nodes.ts";
import { fc } from "../../../properties.ts";

/** Whether the root leads to a node without passing another one. */
function reaches(targets: readonly (readonly number[])[], node: number, without: number): boolean {
  const seen = new Set(without === 0 ? [] : [0]);
  const open = [...seen];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const target of targets[at] ?? [])
      if (target !== without && !seen.has(target)) {
        seen.add(target);
        open.push(target);
      }
  return seen.has(node);
}

test("dominatorsOf() agrees with leaving out one node after the other", () => {
  const graphs = fc.integer({ min: 1, max: 9 }).chain((count) =>
    fc.array(fc.array(fc.integer({ min: 0, max: count - 1 }), { maxLength: 3 }), {
      minLength: count,
      maxLength: count,
    }),
  );
  fc.assert(
    fc.property(graphs, (targets) => {
      const { parentOf, order } = dominatorsOf(0, targets);
      for (const [node] of targets.entries()) {
        assert.equal(order.includes(node), reaches(targets, node, -1));
        if (!order.includes(node)) continue;
        const above = new Set<number>();
        for (let at = node; at !== 0; at = parentOf[at] ?? 0) above.add(parentOf[at] ?? 0);
        for (const other of order) {
          if (other !== node) assert.equal(above.has(other), !reaches(targets, node, other));
        }
      }
    }),
    { numRuns: 500 },
  );
});

test("dominatorsOf() takes a chain of 100,000 nodes", () => {
  const count = 100_000;
  const { parentOf } = dominatorsOf(
    0,
    Array.from({ length: count }, (_, node) => (node + 1 < count ? [node + 1] : [])),
  );
  assert.equal(parentOf[count - 1], count - 2);
});
