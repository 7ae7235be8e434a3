import assert from "node:assert/strict";
import { test } from "node:test";
import { diffGraphs } from "../../../../src/agent/analysis/diff/mod.ts";
import { overlayChanges } from "../../../../src/agent/analysis/diff/overlay.ts";
import { end, graphOf, llm, says } from "../_graphs.ts";

const BEFORE = graphOf({
  greet: says("Greet.", llm("order", "Caller orders"), llm("bye", "Caller is done")),
  order: says("Take the order.", llm("bye", "Caller has ordered")),
  bye: end,
});

/** The overlay of {@link BEFORE} and these nodes, as plain data. */
function overlayOf(nodes: { readonly [id: string]: object }) {
  const after = graphOf(nodes);
  const { graph, nodes: marks, transitions, formerIds } = overlayChanges(BEFORE, after, diffGraphs(BEFORE, after));
  const targets = Object.entries(graph.nodes).map(([id, node]) => [
    id,
    node.transitions.map(({ target_node_id: target }) => target),
  ]);
  return {
    targets: Object.fromEntries(targets),
    nodes: Object.fromEntries(marks),
    transitions: Object.fromEntries([...transitions].map(([id, own]) => [id, Object.fromEntries(own)])),
    formerIds: Object.fromEntries(formerIds),
  };
}

test("overlayChanges() of equal graphs has no marks", () => {
  const { targets, ...marks } = overlayOf(BEFORE.nodes);
  assert.deepEqual(targets, { greet: ["order", "bye"], order: ["bye"], bye: [] });
  assert.deepEqual(marks, { nodes: {}, transitions: {}, formerIds: {} });
});

test("overlayChanges() keeps a removed node with its transitions, marked as removed", () => {
  const { order: _, ...others } = BEFORE.nodes;
  const greet = says("Greet.", llm("bye", "Caller is done"));
  assert.deepEqual(overlayOf({ ...others, greet }), {
    targets: { greet: ["bye", "order"], bye: [], order: ["bye"] },
    nodes: { order: "removed" },
    transitions: { greet: { 1: "removed" }, order: { 0: "removed" } },
    formerIds: {},
  });
});

test("overlayChanges() marks an added node with its transitions", () => {
  const found = overlayOf({
    ...BEFORE.nodes,
    greet: says("Greet.", llm("order", "Caller orders"), llm("bye", "Caller is done"), llm("help", "Caller is lost")),
    help: says("Help in any case.", llm("bye", "Caller is content")),
  });
  assert.deepEqual(found.nodes, { help: "added" });
  assert.deepEqual(found.transitions, { greet: { 2: "added" }, help: { 0: "added" } });
});

test("overlayChanges() marks a changed prompt at the node, and a changed condition at the transition", () => {
  const found = overlayOf({
    ...BEFORE.nodes,
    greet: says("Greet kindly.", llm("order", "Caller wants to order"), llm("bye", "Caller is done")),
  });
  assert.deepEqual(found.nodes, { greet: "changed" });
  assert.deepEqual(found.transitions, { greet: { 0: "changed" } });
});

test("overlayChanges() shows a retargeted transition at its new target, and as removed at its old one", () => {
  const found = overlayOf({
    ...BEFORE.nodes,
    greet: says("Greet.", llm("order", "Caller orders"), llm("order", "Caller is done")),
  });
  assert.deepEqual(found.targets.greet, ["order", "order", "bye"]);
  assert.deepEqual(found.transitions, { greet: { 1: "changed", 2: "removed" } });
});

test("overlayChanges() follows a renamed node, in removed transitions and nodes too", () => {
  const found = overlayOf({
    greet: says("Greet.", llm("order", "Caller orders")),
    order: says("Take the order.", llm("over", "Caller has ordered")),
    over: end,
  });
  assert.deepEqual(found, {
    targets: { greet: ["order", "over"], order: ["over"], over: [] },
    nodes: { over: "changed" },
    transitions: { greet: { 1: "removed" } },
    formerIds: { over: "bye" },
  });
});

test("overlayChanges() keeps the removed transition of a renamed node at its new id", () => {
  const found = overlayOf({
    greet: says("Greet.", llm("take", "Caller orders"), llm("bye", "Caller is done")),
    take: says("Take the order."),
    bye: end,
  });
  assert.deepEqual(found, {
    targets: { greet: ["take", "bye"], take: ["bye"], bye: [] },
    nodes: { take: "changed" },
    transitions: { take: { 0: "removed" } },
    formerIds: { take: "order" },
  });
});

test("overlayChanges() marks each of several removed transitions", () => {
  const found = overlayOf({ ...BEFORE.nodes, greet: says("Greet.", llm("order", "Caller begins")), lost: end });
  assert.deepEqual(found.targets.greet?.length, Object.keys(found.transitions.greet ?? {}).length);
  const { greet, bye } = BEFORE.nodes;
  const none = overlayOf({ greet: { ...greet, transitions: [] }, bye: { ...bye } });
  assert.deepEqual(none.targets.greet, ["order", "bye"]);
  assert.deepEqual(none.transitions.greet, { 0: "removed", 1: "removed" });
});

test("overlayChanges() marks nothing for changes of the whole agent and of positions on a canvas", () => {
  const at = (x: number) => ({
    ...BEFORE.nodes,
    bye: { ...end, metadata: { retell: { display_position: { x, y: 9 } } } },
  });
  const [before, after] = [graphOf(at(1)), graphOf(at(2), { default_model: "openai/gpt-5" })];
  const changes = diffGraphs(before, after);
  assert.deepEqual(changes.map(({ kind }) => kind).sort(), ["layout-changed", "model-changed"]);
  const { nodes, transitions } = overlayChanges(before, after, changes);
  assert.deepEqual([[...nodes], [...transitions]], [[], []]);
});
