import assert from "node:assert/strict";
import { test } from "node:test";
import { turnBounds } from "../../../../src/agent/analysis/facts/mod.ts";
import { always, end, extract, graphOf, llm, logic, says, when } from "../_graphs.ts";

const boundAt = (id: string, nodes: { readonly [id: string]: object }) => {
  const bound = turnBounds(graphOf(nodes)).get(id);
  assert.ok(bound);
  const { split, speculative, fused } = bound.modelCalls;
  return { hops: bound.hops, path: bound.path, calls: [split, speculative, fused] };
};
const spoken = (prompt: string) => ({ ...says(prompt), instruction_type: "static_text" });
const global = (node: object) => ({ ...node, global_node_setting: { condition: "x", go_back_conditions: [] } });
const [a, b] = [says("Greet.", llm("b", "Done")), says("Help.")];

test("turnBounds() counts the request that decides and the reply, of a call from one node to another", () => {
  assert.deepEqual(boundAt("b", { a, b }), { hops: 0, path: ["b"], calls: [1, 1, 1] });
  assert.deepEqual(boundAt("a", { a, b }), { hops: 1, path: ["a", "b"], calls: [2, 3, 1] });
  assert.deepEqual(boundAt("a", { a, b: spoken("Help.") }).calls, [2, 3, 1]);
});

test("turnBounds() counts the requests of silent nodes on the way, and a reply of its own after them", () => {
  const to = (silent: object) => boundAt("a", { a: says("Greet.", llm("s", "Done")), s: silent, b, c: b });
  const path = ["a", "s", "b"];
  assert.deepEqual(to(logic(always("b"))), { hops: 2, path, calls: [2, 3, 2] });
  assert.deepEqual(to(logic(llm("b", "Angry"))), { hops: 2, path, calls: [3, 4, 3] });
  assert.deepEqual(to(extract([{ name: "day" }], always("b"))), { hops: 2, path, calls: [3, 4, 3] });
  assert.deepEqual(to(extract([{ name: "day" }], llm("b", "Angry"))), { hops: 2, path, calls: [4, 5, 4] });
});

test("turnBounds() takes the longest path, and the most requests of any path", () => {
  const bound = boundAt("a", {
    a: says("Greet.", llm("near", "One"), llm("far", "Two"), llm("asks", "Three")),
    near: says("Near."),
    far: logic(when("far2", "x", "==", "1"), always("near")),
    far2: logic(always("near")),
    asks: extract([{ name: "day" }], llm("near", "Angry")),
  });
  assert.deepEqual([bound.hops, bound.path, bound.calls[0]], [3, ["a", "far", "far2", "near"], 4]);
});

test("turnBounds() counts what a silent node does itself alike in all modes", () => {
  const bound = boundAt("s", { s: extract([{ name: "day" }], always("b")), b });
  assert.deepEqual(bound, { hops: 1, path: ["s", "b"], calls: [2, 2, 2] });
});

test("turnBounds() finds no bound where silent nodes lead back to each other", () => {
  const nodes = { a: says("Greet.", llm("s", "Done")), s: logic(always("t")), t: logic(always("s")), b };
  assert.equal(boundAt("s", nodes).hops, Number.POSITIVE_INFINITY);
  assert.equal(boundAt("a", nodes).hops, Number.POSITIVE_INFINITY);
  assert.equal(boundAt("b", nodes).hops, 0);
});

test("turnBounds() lets every conversation node lead to the global nodes, but not to itself", () => {
  const nodes = {
    a: says("Greet."),
    short: global(says("Wait.")),
    other: global(says("Wait longer.")),
    deep: global(logic(always("deeper"))),
    asks: global(extract([{ name: "day" }], llm("b", "Angry"))),
    more: global(says("Wait again.")),
    last: global(says("Wait at last.")),
    deeper: logic(always("deepest")),
    deepest: logic(always("b")),
    b: spoken("Help."),
    bye: end,
  };
  const bound = boundAt("a", nodes);
  assert.deepEqual([bound.hops, bound.path, bound.calls[0]], [4, ["a", "deep", "deeper", "deepest", "b"], 3]);
  assert.equal(boundAt("bye", nodes).hops, 0);
  assert.deepEqual(boundAt("b", { a: says("Greet."), b: global(b) }), { hops: 0, path: ["b"], calls: [2, 2, 1] });
});
