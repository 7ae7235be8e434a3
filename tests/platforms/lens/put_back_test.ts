import assert from "node:assert/strict";
import { test } from "node:test";
import { type Direction, merge, putBack } from "../../../platforms/lens/mod.ts";
import type { Loss } from "../../../platforms/mod.ts";
import { isRecord, own } from "../../../src/base/values/mod.ts";
import { parseGraph, withOriginal } from "../../../src/document/graph/mod.ts";

const node = {
  node_type: "conversation" as const,
  state_prompt: "",
  tools: [],
  transitions: [],
  variables_to_extract: [],
  metadata: {},
};

/** A format with documents `{ nodes: [name, …], start? }`. `start` defaults to the first node. */
const LIST: Direction<Loss> = {
  name: "list",
  shape: { keys: ["name"] },
  read: (document) => {
    const record = isRecord(document) ? document : {};
    const names = Array.isArray(record.nodes) ? record.nodes.map(String) : [];
    const nodes = Object.fromEntries(names.map((id) => [id, { ...node, id }]));
    return parseGraph({ nodes, entry_node_id: own(record, "start") ?? names[0] });
  },
  write: ({ nodes, entry_node_id }) => ({
    config: { nodes: Object.keys(nodes), start: entry_node_id },
    losses: Object.keys(nodes).map((id) => ({ code: "node", kind: "dropped", path: ["nodes", id], message: id })),
  }),
};

const read = (document: object) =>
  withOriginal(LIST.read(document), { format: "list", text: JSON.stringify(document) });

test("putBack() adds a key that the original omitted once its default would be wrong", () => {
  const graph = read({ nodes: ["a", "b"] });
  const moved = { ...graph, nodes: Object.fromEntries(Object.entries(graph.nodes).toReversed()) };
  assert.deepEqual(putBack(moved, LIST)?.config, { nodes: ["b", "a"], start: "a" });
  assert.deepEqual(putBack(graph, LIST)?.config, { nodes: ["a", "b"] });
});

test("putBack() reports losses of edits, not of the original", () => {
  const graph = read({ nodes: ["a"] });
  const more = { ...graph, nodes: { ...graph.nodes, b: { ...node, id: "b" } } };
  assert.deepEqual(putBack(graph, LIST)?.losses, []);
  assert.deepEqual(
    putBack(more, LIST)?.losses.map(({ path }) => path),
    [["nodes", "b"]],
  );
});

test("merge() adds changed items of a list that the original lacks, and merges into an object that the emitter did not write", () => {
  const shape = { keys: ["id"] };
  const [a, b] = [{ id: "a" }, { id: "b" }];
  assert.deepEqual(merge({}, { tools: [a] }, { tools: [a, b] }, shape), { tools: [b] });
  const original = { edge: { id: "e", note: 1 } };
  assert.deepEqual(merge(original, {}, { edge: { to: "x" } }, shape), { edge: { id: "e", note: 1, to: "x" } });
});

test("putBack() keeps the files beside the document, as they are for the current graph", () => {
  const write: typeof LIST.write = (graph) => ({
    ...LIST.write(graph),
    files: [{ path: "names.txt", text: Object.keys(graph.nodes).join(",") }],
  });
  const graph = read({ nodes: ["a"] });
  const more = { ...graph, nodes: { ...graph.nodes, b: { ...node, id: "b" } } };
  assert.deepEqual(putBack(more, { ...LIST, write })?.files, [{ path: "names.txt", text: "a,b" }]);
});
