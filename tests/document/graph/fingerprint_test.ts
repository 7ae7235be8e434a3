import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson, sameJson } from "../../../src/base/values/mod.ts";
import { fingerprint, parseGraph } from "../../../src/document/graph/mod.ts";
import { fc } from "../../properties.ts";

const document = {
  nodes: {
    a: {
      state_prompt: "Hello.",
      transitions: [
        { target_node_id: "b", condition: { type: "llm_prompt", value: "x" } },
        { target_node_id: "a", condition: { type: "llm_prompt", value: "y" } },
      ],
    },
    b: { node_type: "end" },
  },
  entry_node_id: "a",
};

test("fingerprint() does not depend on the order of keys", () => {
  const reordered = { entry_node_id: "a", nodes: { b: document.nodes.b, a: document.nodes.a } };
  assert.equal(fingerprint(parseGraph(reordered)), fingerprint(parseGraph(document)));
});

test("fingerprint() treats a missing list and an empty one as equal", () => {
  const spelt = { ...document, snippets: {}, source_metadata: {}, default_model: null };
  assert.equal(fingerprint(parseGraph(spelt)), fingerprint(parseGraph(document)));
});

test("fingerprint() changes with a prompt, a target and the order of transitions", () => {
  const graph = parseGraph(document);
  const before = fingerprint(graph);
  const withNode = (change: object) => ({ ...graph, nodes: { ...graph.nodes, a: { ...graph.nodes.a, ...change } } });
  const changes = [
    { state_prompt: "Hello!" },
    { transitions: graph.nodes.a?.transitions.toReversed() },
    { transitions: graph.nodes.a?.transitions.map((transition) => ({ ...transition, target_node_id: "b" })) },
  ];
  for (const change of changes) assert.notEqual(fingerprint(parseGraph(withNode(change))), before);
});

test("canonicalJson() is equal exactly when sameJson() is true", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
      assert.equal(canonicalJson(a) === canonicalJson(b), sameJson(a, b));
      assert.ok(sameJson(a, JSON.parse(canonicalJson(a))));
    }),
  );
});
