import assert from "node:assert/strict";
import { test } from "node:test";
import { checkEntry, parseGraph, toGraph } from "../../../src/document/graph/mod.ts";

const condition = { type: "equation", value: "", equations: [{ left: "k", operator: "==", right: "1" }] };

/** A document in which nothing is left out that `parseGraph` would fill in. */
const whole = {
  nodes: {
    first: parseGraph({ nodes: { first: {} }, entry_node_id: "first" }).nodes.first,
    a: {
      id: "a",
      node_type: "conversation",
      state_prompt: "Hello.",
      tools: [{ name: "find", description: "Finds" }],
      transitions: [{ target_node_id: "a", condition }],
      variables_to_extract: [{ name: "k", description: "K", type: "string" }],
      global_node_setting: { condition: "Lost", go_back_conditions: [{ id: "back_0", condition }] },
      metadata: {},
    },
  },
  entry_node_id: "a",
  source_type: "custom",
  source_metadata: {},
  snippets: {},
};

/** A copy with another value at a path; `undefined` takes the key out. */
function changed(path: string, value?: unknown): object {
  const copy = structuredClone(whole);
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let at: object = copy;
  for (const key of keys) at = Reflect.get(at, key);
  if (value === undefined) Reflect.deleteProperty(at, last);
  else Reflect.set(at, last, value);
  return copy;
}

const A = "nodes.a";
const BACK = `${A}.global_node_setting.go_back_conditions.0`;

test("toGraph() returns a complete graph unchanged", () => {
  assert.equal(toGraph(whole, "Cannot run"), whole);
  const plain = changed(`${A}.global_node_setting`);
  assert.equal(toGraph(plain, "Cannot run"), plain);
  const noEquations = changed(`${A}.transitions.0.condition`, { type: "always", value: "" });
  assert.equal(toGraph(noEquations, "Cannot run"), noEquations);
});

test("toGraph() reads a document without any one optional part", () => {
  for (const path of [
    "source_type",
    "source_metadata",
    "snippets",
    `${A}.id`,
    `${A}.node_type`,
    `${A}.state_prompt`,
    `${A}.tools`,
    `${A}.tools.0.description`,
    `${A}.transitions`,
    `${A}.transitions.0.condition.value`,
    `${A}.variables_to_extract`,
    `${A}.variables_to_extract.0.description`,
    `${A}.variables_to_extract.0.type`,
    `${A}.global_node_setting.condition`,
    `${A}.global_node_setting.go_back_conditions`,
    `${BACK}.id`,
    `${BACK}.condition.value`,
    `${A}.metadata`,
  ]) {
    const document = changed(path);
    const graph = toGraph(document, "Cannot run");
    assert.notEqual(graph, document, path);
    assert.deepEqual(graph, parseGraph(document), path);
  }
});

test("toGraph() rejects a document with a wrong type in any one part", () => {
  for (const [path, value] of [
    ["entry_node_id", undefined],
    [A, 7],
    [`${A}.tools`, {}],
    [`${A}.tools.0`, 7],
    [`${A}.tools.0.name`, undefined],
    [`${A}.transitions.0.target_node_id`, undefined],
    [`${A}.transitions.0.condition`, undefined],
    [`${A}.transitions.0.condition.type`, undefined],
    [`${A}.transitions.0.condition.equations`, 7],
    [`${A}.transitions.0.condition.equations.0.left`, undefined],
    [`${A}.transitions.0.condition.equations.0.operator`, undefined],
    [`${A}.variables_to_extract.0.name`, undefined],
    [`${A}.global_node_setting`, 7],
    [`${BACK}.condition`, undefined],
    [`${BACK}.condition.equations.0.left`, undefined],
    [`${A}.metadata`, 7],
    ["source_metadata", 7],
    ["snippets", 7],
  ] as const) {
    const document = changed(path, value);
    assert.throws(() => toGraph(document, "Cannot run"), { name: "GraphError", code: /wrong-type|missing-key/ }, path);
  }
});

test("toGraph() says what was passed instead of a graph", () => {
  assert.throws(() => toGraph(7, "Cannot run"), {
    code: "not-a-graph",
    message: /^Cannot run: the graph is 7/,
    hint: /^Pass a compiled flow/,
  });
});

test("checkEntry() rejects an unknown entry node and ignores targets", () => {
  const lost = toGraph(changed(`${A}.transitions.0.target_node_id`, "gone"), "Cannot run");
  checkEntry(lost, "Cannot run");
  assert.throws(
    () => checkEntry({ ...lost, entry_node_id: "b" }, "Cannot run"),
    (error) => {
      assert.ok(error instanceof Error && "issues" in error && Array.isArray(error.issues));
      assert.match(error.message, /^Cannot run: /);
      assert.deepEqual(
        error.issues.map(({ code }) => code),
        ["unknown-entry"],
      );
      return true;
    },
  );
});
