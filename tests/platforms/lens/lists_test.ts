import assert from "node:assert/strict";
import { test } from "node:test";
import { merge, putBack } from "../../../platforms/lens/mod.ts";
import { isRecord } from "../../../src/base/values/mod.ts";
import { originalOf, parseGraph, withOriginal, withoutOriginal } from "../../../src/document/graph/mod.ts";

const SHAPE = { keys: ["id"] };
const [a, b] = [
  { id: "a", type: "x" },
  { id: "b", type: "y" },
];
const [c, n] = [
  { id: "c", list: [1] },
  { id: "n", text: "new" },
];

test("merge() keeps items that the emitter does not write in place, also if items around them move", () => {
  assert.deepEqual(merge(["1", a, "2", b, "3"], [a, b], [b, a], SHAPE), ["1", b, "2", a, "3"]);
  assert.deepEqual(merge(["1", a, b, c, "3"], [a, b, c], [c, a, b], SHAPE), ["1", c, a, b, "3"]);
});

test("merge() reorders the items of one group in a list of alternating groups and keeps the others in place", () => {
  // the emitter groups edges by node, and the imported list alternates
  const edge = (id: string) => ({ id, from: id.slice(0, 1) });
  const [a1, a2, a3, b1, b2] = [edge("a1"), edge("a2"), edge("a3"), edge("b1"), edge("b2")];
  const original = [a1, b1, a2, b2, a3];
  const base = [a1, a2, a3, b1, b2];
  assert.deepEqual(merge(original, base, [a2, a1, a3, b1, b2], SHAPE), [a2, b1, a1, b2, a3]);
  assert.deepEqual(merge(original, base, [a3, a1, a2, b1, b2], SHAPE), [a3, b1, a1, b2, a2]);
  assert.deepEqual(merge(original, base, [a1, a2, a3, b2, b1], SHAPE), [a1, b2, a2, b1, a3]);
  assert.deepEqual(merge(original, base, [a2, n, a1, a3, b1, b2], SHAPE), [a2, n, b1, a1, b2, a3]);
});

test("merge() inserts a new item after its neighbour, before items that the emitter does not write", () => {
  assert.deepEqual(merge([a, "1"], [a], [a, n], SHAPE), [a, n, "1"]);
  assert.deepEqual(merge(["1", a], [a], [n, a], SHAPE), ["1", n, a]);
});

test("merge() adds an item that the original lacks only once it is changed", () => {
  assert.deepEqual(merge([], [a], [a, b], SHAPE), [b]);
  assert.deepEqual(merge([], [a], [{ ...a, type: "z" }], SHAPE), [{ ...a, type: "z" }]);
});

test("merge() inserts a new key after its neighbour, skipping keys that the original lacks", () => {
  const keys = (value: unknown) => (isRecord(value) ? Object.keys(value).join("") : "");
  assert.equal(keys(merge({ a: 1, z: 1 }, { a: 1, z: 1 }, { a: 1, n: 1, z: 1 }, SHAPE)), "anz");
  assert.equal(keys(merge({ b: 1, a: 1, z: 1 }, { a: 1, b: 1, z: 1 }, { b: 1, a: 1, n: 1, z: 1 }, SHAPE)), "banz");
  assert.equal(keys(merge({ a: 1, z: 1 }, { a: 1, d: 1, z: 1 }, { a: 1, d: 1, n: 1, z: 1 }, SHAPE)), "anz");
});

test("merge() treats undefined keys as absent", () => {
  assert.deepEqual(merge({ x: 1, y: 1 }, { x: 1, y: 1 }, { x: undefined, y: 2 }, SHAPE), { y: 2 });
  assert.deepEqual(merge({ y: 1 }, { y: 1 }, { n: undefined, y: 2 }, SHAPE), { y: 2 });
});

test("merge() uses the new value if original, base and new value have different types", () => {
  for (const [original, base] of [
    [[1], { a: 1 }],
    [{ a: 1 }, [1]],
    ["x", { a: 1 }],
    ["x", [1]],
  ])
    for (const mine of [{ a: 2 }, [2], "y"]) assert.deepEqual(merge(original, base, mine, SHAPE), mine);
  assert.deepEqual(merge({ x: "one" }, { x: ["one"] }, {}, SHAPE), {});
  assert.deepEqual(merge({ x: ["one"] }, { x: "one" }, {}, SHAPE), {});
});

const graphOf = (name: string) =>
  parseGraph({ nodes: { a: {} }, entry_node_id: "a", source_metadata: { name }, source_type: "card" });

/** A format whose document is `{ name }`. */
const CARD = {
  name: "card",
  read: (document: unknown) => {
    if (!isRecord(document)) throw new Error("no card");
    return graphOf(String(document.name));
  },
  write: (graph: ReturnType<typeof graphOf>) => ({ config: { name: graph.source_metadata.name }, losses: [] }),
};
const renamed = (text: string) => ({
  ...withOriginal(graphOf("Desk"), { format: "card", text }),
  source_metadata: {
    ...withOriginal(graphOf("Desk"), { format: "card", text }).source_metadata,
    name: "Front desk",
  },
});
const first = (document: unknown) => (Array.isArray(document) ? document[0] : undefined);

test("putBack() changes only the part of a document at the format's root", () => {
  const direction = {
    ...CARD,
    read: (document: unknown) => {
      const data = isRecord(document) ? document.data : undefined;
      return CARD.read(first(data));
    },
    shape: { ...SHAPE, root: () => ["data", 0] },
  };
  const graph = renamed('\uFEFF{"next":null,"data":[{"name":"Desk","x":1},{"name":"Other"}]}');
  const result = putBack(graph, direction);
  assert.equal(result?.text, '\uFEFF{"next":null,"data":[{"name":"Front desk","x":1},{"name":"Other"}]}');
});

test("putBack() opens and closes documents with the format's `open`", () => {
  const shape = {
    ...SHAPE,
    open: (document: unknown) => ({
      body: first(document),
      close: (body: unknown) => [body, "closed"],
    }),
  };
  const direction = { ...CARD, read: (document: unknown) => CARD.read(first(document)), shape };
  const text = '[{"name": "Desk", "x": 1}, "open"]';
  const graph = renamed(text);
  const result = putBack(graph, direction);
  assert.equal(result?.text, '[{"name": "Front desk", "x": 1}, "closed"]');
  const same = withOriginal(graphOf("Desk"), { format: "card", text });
  assert.equal(putBack(same, direction)?.text, text);
});

test("putBack() rejects a damaged original with a hint", () => {
  const graph = renamed("[");
  assert.throws(() => putBack(graph, { ...CARD, shape: SHAPE }), {
    code: "damaged-original",
    path: ["source_metadata", "original"],
    message: /^Cannot emit graph: the document that it was imported from cannot be read \(.+\)/,
    hint: /^Import the agent again/,
  });
});

test("putBack() emits a changed document that cannot be imported again", () => {
  const picky = {
    ...CARD,
    shape: SHAPE,
    read: (document: unknown) => {
      if (isRecord(document) && document.name !== "Desk") throw new Error("other names are refused");
      return CARD.read(document);
    },
  };
  const graph = renamed('{"name":"Desk"}');
  assert.deepEqual(putBack(graph, picky)?.config, { name: "Front desk" });
});

test("putBack() returns undefined for a graph that was not imported in the format", () => {
  const graph = graphOf("Desk");
  assert.equal(putBack(graph, { ...CARD, shape: SHAPE }), undefined);
  const other = withOriginal(graph, { format: "other", text: "{}" });
  assert.equal(putBack(other, { ...CARD, shape: SHAPE }), undefined);
});

test("originalOf() requires a format and a text", () => {
  const kept = (original: unknown) =>
    originalOf(parseGraph({ nodes: { a: {} }, entry_node_id: "a", source_metadata: { original } }));
  assert.deepEqual(kept({ format: "card", text: "{}" }), { format: "card", text: "{}" });
  for (const other of [undefined, 7, { format: "card" }, { text: "{}" }, { format: 1, text: "{}" }])
    assert.equal(kept(other), undefined);
});

test("withoutOriginal() returns the same object if there is no original", () => {
  const graph = graphOf("Desk");
  assert.equal(withoutOriginal(graph), graph);
  assert.deepEqual(withoutOriginal(withOriginal(graph, { format: "card", text: "{}" })), graph);
});

test("merge() pairs items by their order if their identities differ between original and base", () => {
  const [one, two] = [
    { id: "1", a: "one" },
    { id: "2", a: "two" },
  ];
  const [first, second] = [
    { id: "No 1", a: 1 },
    { id: "No 2", a: 2 },
  ];
  assert.deepEqual(merge(["A", "B"], ["a", "b"], ["b", "a"], SHAPE), ["B", "A"]);
  assert.deepEqual(merge([first, second], [one, two], [two, one], SHAPE), [second, first]);
  assert.deepEqual(merge([first, "note", second], [one, two], [two, one], SHAPE), [second, "note", first]);
  assert.deepEqual(merge(["A", first], ["a", one], ["a", { ...one, a: "new" }], SHAPE), [
    "A",
    { id: "No 1", a: "new" },
  ]);
  assert.deepEqual(merge(["A", first, "B"], ["a", one], ["b", one], SHAPE), ["b", "A", first, "B"]);
});

test("merge() compares the order of items per kind, and inserts an item of a new kind after its neighbour", () => {
  const kinds = { ...SHAPE, kindOf: (item: unknown) => (isRecord(item) ? String(item.type) : undefined) };
  const [x1, x2, y1, z1] = [
    { id: "x1", type: "x" },
    { id: "x2", type: "x" },
    { id: "y1", type: "y" },
    { id: "z1", type: "z" },
  ];
  assert.deepEqual(merge([x1, y1, x2], [x1, x2, y1], [y1, x1, x2], kinds), [x1, y1, x2]);
  assert.deepEqual(merge([x1, y1, x2], [x1, x2, y1], [y1, x2, x1], kinds), [x2, y1, x1]);
  assert.deepEqual(merge([x1, x2], [x1, x2], [z1, x1, x2], kinds), [z1, x1, x2]);
  assert.deepEqual(merge([x1, x2], [x1, x2], [x1, z1, x2], kinds), [x1, z1, x2]);
});

test("merge() combines an item that was added on both sides", () => {
  const shape = { keys: ["id"] };
  const remote = { nodes: [{ id: "a" }, { id: "new", text: "Hi", position: 1, edges: [{ id: "e", to: "a" }] }, "x"] };
  const mine = { nodes: [{ id: "a" }, { id: "new", text: "Hello", edges: [{ id: "e", to: "a" }] }, "x"] };
  assert.deepEqual(merge(remote, { nodes: [{ id: "a" }] }, mine, shape), {
    nodes: [{ id: "a" }, { id: "new", text: "Hello", position: 1, edges: [{ id: "e", to: "a" }] }, "x"],
  });
});
