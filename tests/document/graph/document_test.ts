import assert from "node:assert/strict";
import { test } from "node:test";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { formatGraph, GRAPH_KEYS, graphJsonSchema, parseGraph } from "../../../src/document/graph/mod.ts";

const minimal = { nodes: { a: {} }, entry_node_id: "a" };
const always = { type: "always" };

/** Every problem of a document, in full. */
function problems(document: unknown) {
  try {
    parseGraph(document);
  } catch (error) {
    if (isCallweaveError(error))
      return error.issues.map(({ code, path, message, hint }) => ({ code, path, message, hint }));
  }
  return [];
}

test("parseGraph() fills in missing parts of a node and keeps the others", () => {
  const document = {
    nodes: {
      a: {
        tools: [{ name: "find" }, { name: "book", description: "Books" }],
        variables_to_extract: [{ name: "k" }, { name: "n", description: "N", type: "number" }],
        transitions: [
          { target_node_id: "a", condition: always },
          { target_node_id: "a", condition: { type: "llm_prompt", value: "Yes" } },
        ],
        global_node_setting: {
          go_back_conditions: [{ condition: always }, { id: "own", condition: always }, { condition: always }],
        },
      },
      b: { state_prompt: "B.", global_node_setting: { condition: "Lost" }, metadata: { color: "red" } },
    },
    entry_node_id: "a",
    source_type: "retell",
    source_metadata: { name: "Desk" },
    snippets: { hi: "Hello." },
  };
  const graph = parseGraph(document);
  assert.deepEqual(graph.nodes.a, {
    id: "a",
    node_type: "conversation",
    state_prompt: "",
    tools: [
      { name: "find", description: "" },
      { name: "book", description: "Books" },
    ],
    variables_to_extract: [
      { name: "k", description: "", type: "string" },
      { name: "n", description: "N", type: "number" },
    ],
    transitions: [
      { target_node_id: "a", condition: { type: "always", value: "" } },
      { target_node_id: "a", condition: { type: "llm_prompt", value: "Yes" } },
    ],
    global_node_setting: {
      condition: "",
      go_back_conditions: [
        { id: "back_0", condition: { type: "always", value: "" } },
        { id: "own", condition: { type: "always", value: "" } },
        { id: "back_2", condition: { type: "always", value: "" } },
      ],
    },
    metadata: {},
  });
  assert.deepEqual(graph.nodes.b?.global_node_setting, { condition: "Lost", go_back_conditions: [] });
  assert.deepEqual(graph.nodes.b?.metadata, { color: "red" });
  assert.equal(Object.hasOwn(parseGraph(minimal).nodes.a ?? {}, "global_node_setting"), false);
  const { source_type, source_metadata, snippets } = graph;
  assert.deepEqual(
    { source_type, source_metadata, snippets },
    { source_type: "retell", source_metadata: { name: "Desk" }, snippets: { hi: "Hello." } },
  );
});

test("parseGraph() reports each problem with its path and fix", () => {
  assert.deepEqual(
    problems({
      nodes: {
        a: { state_prompt: 7, tools: [{}], metadata: [] },
        b: { id: "c" },
      },
      entry_node_id: "a",
      snippets: { hi: 7, bye: "Bye." },
    }),
    [
      {
        code: "wrong-type",
        path: ["nodes", "a", "state_prompt"],
        message: '"nodes.a.state_prompt" should be string but is 7',
        hint: "Change it to string",
      },
      {
        code: "missing-key",
        path: ["nodes", "a", "tools", 0, "name"],
        message: '"nodes.a.tools.0.name" is missing',
        hint: 'Add "name"',
      },
      {
        code: "wrong-type",
        path: ["nodes", "a", "metadata"],
        message: '"nodes.a.metadata" should be Object but is Array',
        hint: "Change it to Object",
      },
      {
        code: "id-mismatch",
        path: ["nodes", "b", "id"],
        message: 'node "b" has the id "c"',
        hint: "Make the id the same as its key in nodes",
      },
      {
        code: "wrong-type",
        path: ["snippets", "hi"],
        message: '"snippets.hi" should be string but is 7',
        hint: "Change it to string",
      },
    ],
  );
  assert.deepEqual(problems({ ...minimal, source_metadata: [] }), [
    {
      code: "wrong-type",
      path: ["source_metadata"],
      message: '"source_metadata" should be Object but is Array',
      hint: "Change it to Object",
    },
  ]);
  assert.deepEqual(
    problems({ ...minimal, snippets: 7 }).map(({ path }) => path),
    [["snippets"]],
  );
});

test("parseGraph() reports which nodes refer to unknown nodes", () => {
  const nodes = { a: { transitions: [{ target_node_id: "gone", condition: always }] } };
  assert.deepEqual(problems({ nodes, entry_node_id: "start" }), [
    {
      code: "unknown-entry",
      path: ["entry_node_id"],
      message: 'entry node "start" is not in "nodes"',
      hint: 'Set "entry_node_id" to the id of a node',
    },
    {
      code: "unknown-target",
      path: ["nodes", "a", "transitions", 0, "target_node_id"],
      message: 'transition 0 of "a" goes to "gone", which is not in "nodes"',
      hint: "Add the node or change the target",
    },
  ]);
});

test("parseGraph() rejects values without a nodes object", () => {
  assert.throws(() => parseGraph(7), { path: [], message: /it is not an object/, hint: /^Pass an object/ });
  assert.throws(() => parseGraph({}), { path: ["nodes"], message: /it has no "nodes" object/ });
  let deep: unknown = {};
  for (let level = 0; level < 300; level++) deep = { deep };
  assert.throws(() => parseGraph({ ...minimal, deep }), { code: "too-deep", message: /deeper than 200 levels/ });
});

test("parseGraph() accepts the listed choices only", () => {
  const edge = (part: object) => ({ transitions: [{ target_node_id: "a", condition: always, ...part }] });
  const choices: readonly [(value: string) => object, readonly string[]][] = [
    [(type) => edge({ condition: { type } }), ["llm_prompt", "equation", "tool_call", "always"]],
    [(logical_operator) => edge({ condition: { ...always, logical_operator } }), ["and", "or"]],
    [(outcome) => edge({ condition: { ...always, outcome } }), ["succeeded", "failed"]],
    [(timing) => edge({ timing }), ["after_speech", "skip_response", "else"]],
    [(node_type) => ({ node_type }), ["conversation", "logic", "extract", "end", "transfer", "function"]],
    [(instruction_type) => ({ instruction_type }), ["prompt", "static_text"]],
  ];
  for (const [nodeWith, values] of choices) {
    for (const value of values) assert.deepEqual(problems({ ...minimal, nodes: { a: nodeWith(value) } }), [], value);
    for (const value of ["", "other"])
      assert.equal(problems({ ...minimal, nodes: { a: nodeWith(value) } }).length, 1, values.join());
  }
  for (const start_speaker of ["agent", "user"])
    assert.deepEqual(problems({ ...minimal, source_metadata: { start_speaker } }), []);
  assert.equal(problems({ ...minimal, source_metadata: { start_speaker: "" } }).length, 1);
});

test("GRAPH_KEYS has every key that a document may have", () => {
  assert.deepEqual(GRAPH_KEYS, {
    graph: ["nodes", "entry_node_id", "source_type", "source_metadata", "default_model", "snippets"],
    sourceMetadata: [
      "name",
      "general_prompt",
      "begin_message",
      "start_speaker",
      "default_dynamic_variables",
      "language",
      "voice",
    ],
    node: [
      "id",
      "node_type",
      "state_prompt",
      "instruction_type",
      "tools",
      "transitions",
      "variables_to_extract",
      "global_node_setting",
      "transfer_to",
      "metadata",
    ],
    transition: ["target_node_id", "condition", "description", "timing", "metadata"],
    condition: ["type", "value", "equations", "logical_operator", "outcome"],
    equation: ["left", "operator", "right"],
    variable: ["name", "description", "type", "choices"],
    globalSetting: ["condition", "go_back_conditions", "metadata"],
    goBack: ["id", "condition"],
    tool: ["name", "description", "parameters", "type", "url", "tool_id", "response_variables", "metadata"],
  });
});

test("graphJsonSchema() is a schema of draft 7, with a title and a description for editors", () => {
  const schema = graphJsonSchema();
  assert.equal(schema.$schema, "http://json-schema.org/draft-07/schema#");
  assert.equal(schema.title, "AgentGraph");
  assert.match(String(schema.description), /graph of nodes/);
  assert.deepEqual(schema.required, ["nodes", "entry_node_id"]);
});

test("formatGraph() names the schema first, unless the document names its own", () => {
  const graph = parseGraph(minimal);
  assert.equal(formatGraph(graph), `${JSON.stringify(graph, null, 2)}\n`);
  assert.match(formatGraph(graph, "x.json"), /^\{\n {2}"\$schema": "x\.json",\n {2}"entry_node_id"/);
  const named = parseGraph({ ...minimal, $schema: "own.json" });
  assert.equal(formatGraph(named, "x.json"), `${JSON.stringify(named, null, 2)}\n`);
});
