import assert from "node:assert/strict";
import { test } from "node:test";
import { GraphError } from "../../../src/base/errors.ts";
import { formatGraph, parseGraph } from "../../../src/document/graph/mod.ts";

const minimal = { nodes: { a: { state_prompt: "Hello." } }, entry_node_id: "a" };

function failure(value: unknown): GraphError {
  try {
    parseGraph(value);
  } catch (error) {
    assert.ok(error instanceof GraphError);
    return error;
  }
  throw new assert.AssertionError({ message: "it was read" });
}

test("parseGraph() fills in missing parts", () => {
  assert.deepEqual(parseGraph(minimal), {
    nodes: {
      a: {
        id: "a",
        node_type: "conversation",
        state_prompt: "Hello.",
        tools: [],
        transitions: [],
        variables_to_extract: [],
        metadata: {},
      },
    },
    entry_node_id: "a",
    source_type: "custom",
    source_metadata: {},
    snippets: {},
  });
});

test("parseGraph() keeps unknown keys at every level", () => {
  const graph = {
    nodes: {
      a: {
        color: "red",
        transitions: [{ target_node_id: "a", weight: 2, condition: { type: "always", value: "", since: "v9" } }],
      },
    },
    entry_node_id: "a",
    owner: { team: "voice" },
  };
  const parsed = JSON.parse(JSON.stringify(parseGraph(graph)));
  assert.equal(parsed.owner.team, "voice");
  assert.equal(parsed.nodes.a.color, "red");
  assert.equal(parsed.nodes.a.transitions[0].weight, 2);
  assert.equal(parsed.nodes.a.transitions[0].condition.since, "v9");
});

test("parseGraph() accepts ids that every object inherits", () => {
  const text = `{"entry_node_id":"__proto__","nodes":{"__proto__":{"state_prompt":"p","transitions":[
    {"target_node_id":"constructor","condition":{"type":"always"}}]},"constructor":{"state_prompt":"c"}}}`;
  const graph = parseGraph(JSON.parse(text));
  assert.deepEqual(Object.keys(graph.nodes), ["__proto__", "constructor"]);
  assert.equal(Object.entries(graph.nodes)[0]?.[1].state_prompt, "p");
  assert.deepEqual(parseGraph(JSON.parse(formatGraph(graph))), graph);
});

test("parseGraph() infers node types of older documents", () => {
  const equation = { type: "equation", equations: [{ left: "k", operator: "==", right: "1" }] };
  const always = { type: "always", value: "" };
  const to = (...conditions: unknown[]) => conditions.map((condition) => ({ target_node_id: "talk", condition }));
  const graph = parseGraph({
    entry_node_id: "talk",
    nodes: {
      talk: { transitions: to(always) },
      mixed: { transitions: to(equation, { type: "llm_prompt", value: "x" }) },
      logic: { transitions: to(equation, always) },
      extract: { transitions: to(equation), variables_to_extract: [{ name: "k", description: "K", type: "string" }] },
      named: { node_type: "end", transitions: [] },
    },
  });
  assert.deepEqual(
    Object.values(graph.nodes).map((node) => node.node_type),
    ["conversation", "conversation", "logic", "extract", "end"],
  );
});

test("parseGraph() reports all problems at once, each with its path", () => {
  const error = failure({
    nodes: { a: { node_type: "talk", transitions: [{ target_node_id: 7, condition: { type: "always" } }] } },
  });
  assert.deepEqual(
    error.issues.map(({ code, path }) => [code, path.join(".")]),
    [
      ["missing-key", "entry_node_id"],
      ["wrong-type", "nodes.a.node_type"],
      ["wrong-type", "nodes.a.transitions.0.target_node_id"],
    ],
  );
});

test("parseGraph() rejects an unknown entry and unknown targets, with a suggestion", () => {
  const error = failure({
    nodes: { booking: { transitions: [{ target_node_id: "bokking", condition: { type: "always" } }] } },
    entry_node_id: "start",
  });
  assert.deepEqual(
    error.issues.map(({ code }) => code),
    ["unknown-entry", "unknown-target"],
  );
  assert.deepEqual(error.issues[1]?.path, ["nodes", "booking", "transitions", 0, "target_node_id"]);
  assert.equal(error.issues[1]?.hint, 'Did you mean "booking"?');
});

test("parseGraph() rejects a node whose id differs from its key", () => {
  assert.equal(failure({ nodes: { a: { id: "b" } }, entry_node_id: "a" }).code, "id-mismatch");
});

test("parseGraph() rejects values that are not graphs", () => {
  for (const value of [null, 1, "graph", [], {}, { nodes: [] }]) assert.equal(failure(value).code, "not-a-graph");
});

test("parseGraph() rejects a document that is nested too deeply", () => {
  let deep: unknown = "bottom";
  for (let i = 0; i < 100_000; i++) deep = { deeper: deep };
  assert.equal(failure({ ...minimal, extra: deep }).code, "too-deep");
});

test("parseGraph() rejects lists in place of objects instead of losing their content", () => {
  const lists = {
    nodes: { a: [], b: { metadata: [1], global_node_setting: [] } },
    source_metadata: [],
    snippets: ["x"],
  };
  const found = failure({ entry_node_id: "a", ...lists }).issues.map(({ code, path }) => `${code} ${path.join(".")}`);
  assert.deepEqual(found, [
    "wrong-type source_metadata",
    "wrong-type nodes.a",
    "wrong-type nodes.b.global_node_setting",
    "wrong-type nodes.b.metadata",
    "wrong-type snippets",
  ]);
});

test("parseGraph() suggests the misspelt key for a missing one", () => {
  const nodes = { a: { transitions: [{ target: "a", condition: { type: "always" } }] } };
  assert.throws(() => parseGraph({ entry_node: "a", nodes: {} }), { code: "missing-key", hint: 'Add "entry_node_id"' });
  assert.throws(() => parseGraph({ entryNodeId: "a", nodes: {} }), { hint: 'Rename "entryNodeId" to "entry_node_id"' });
  assert.throws(() => parseGraph({ entry_node_id: "a", nodes }), { code: "missing-key" });
});
