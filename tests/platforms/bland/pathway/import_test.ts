import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import type { AgentNode } from "../../../../src/document/graph/mod.ts";
import { GARAGE } from "./_documents.ts";

const { graph, findings } = importAgent(GARAGE);
const node = (id: string): AgentNode => graph.nodes[id] ?? assert.fail(`no node ${id}`);
const waysOf = (id: string) =>
  node(id).transitions.map(({ target_node_id: to, condition: { type, value, outcome, equations }, timing }) =>
    [
      to,
      type,
      value ||
        outcome ||
        equations?.map(({ left, operator, right }) => `${left} ${operator} ${right ?? ""}`.trim()).join(" & "),
      timing ?? "",
    ]
      .filter(Boolean)
      .join(" | "),
  );

test("importAgent() reads the global prompt, the start node and the types of nodes of a pathway", () => {
  assert.equal(graph.source_metadata.general_prompt, "You answer for a garage.");
  assert.equal(graph.entry_node_id, "1");
  const types = Object.values(graph.nodes).map(({ id, node_type: type }) => `${id} ${type}`);
  assert.deepEqual(types, [
    ...["1 conversation", "plate conversation", "check function", "route logic", "ready conversation", "desk transfer"],
    ...["manager conversation", "stop logic", "lex conversation", "new logic", "bye end"],
  ]);
});

test("importAgent() reads static text before the prompt, which stays", () => {
  const { state_prompt: words, instruction_type: kind, metadata } = node("1");
  assert.deepEqual([words, kind], ["Welcome to the garage.", "static_text"]);
  assert.equal(Reflect.get(metadata.bland ?? {}, "prompt"), "Be brief.");
});

test("importAgent() shows a loop condition in the prompt, and emit() writes both back", () => {
  assert.match(node("plate").state_prompt, /^Ask for the number plate\.\n\n.*The caller has confirmed the plate\.$/s);
  const shorter = node("plate").state_prompt.replace("number plate", "plate");
  const changed = { ...graph, nodes: { ...graph.nodes, plate: { ...node("plate"), state_prompt: shorter } } };
  const text = JSON.stringify(emit(changed, "bland").config);
  assert.ok(text.includes('"prompt":"Ask for the plate.","condition":"The caller has confirmed the plate."'));
});

test("importAgent() reads rows of variables of any length", () => {
  const rows = node("plate").variables_to_extract.map(({ name, type, description, choices }) => [
    name,
    type,
    description,
    choices,
  ]);
  assert.deepEqual(rows, [
    ["plate", "string", "", undefined],
    ["year", "integer", "", undefined],
    ["colour", "enum", "The colour", ["red", "blue"]],
    ["owner", "string", "Name of the owner", undefined],
  ]);
});

test("importAgent() reads edges, routes and rows as transitions", () => {
  assert.deepEqual(waysOf("1"), ["plate | always | skip_response"]);
  assert.deepEqual(waysOf("plate"), [
    "bye | tool_call | find_car",
    "check | llm_prompt | Plate is confirmed",
    "bye | llm_prompt | Caller has no plate",
  ]);
  assert.deepEqual(waysOf("check"), [
    "ready | equation | state == ready",
    "route | equation | state exists",
    "bye | tool_call | failed",
    "bye | always",
    "lex | llm_prompt | Something else",
  ]);
  assert.deepEqual(waysOf("route"), [
    "ready | equation | year >= 2020 & colour exists",
    "desk | equation | state not_contains broken",
    "bye | always",
  ]);
  assert.deepEqual(waysOf("stop"), ["bye | always"]);
});

test("importAgent() reads globals with their descriptions and returns", () => {
  const { condition, go_back_conditions: backs } = node("manager").global_node_setting ?? assert.fail();
  assert.equal(condition, "Caller asks for a manager\nOnly if the caller insists");
  assert.equal(backs.length, 1);
});

test("importAgent() keeps and names what it does not know", () => {
  const seen = findings.map(({ code, path }) => [code, path.join(".")]);
  assert.deepEqual(seen, [
    ["unknown-node-type", "nodes.9"],
    ["dangling-edge", "edges.5"],
  ]);
});

test("emit() writes an imported pathway back, in each envelope of the API", () => {
  for (const document of [GARAGE, { data: GARAGE, errors: null }, { status: "success", pathway_data: GARAGE }]) {
    const text = JSON.stringify(document, null, 4);
    const imported = importAgent(text);
    assert.equal(imported.format, "bland");
    assert.equal(emit(imported.graph, "bland").text, text);
    assert.deepEqual(emit(imported.graph, "bland").losses, []);
  }
});

const SPELLINGS = [
  ["state", "==", "ready", { id: "b", name: "b" }],
  { type: "state", operator: "==", value: "ready", nodeId: "b" },
  { label: "state", variable: "==", condition: "ready", targetId: "b", targetName: "b" },
  { label: "", variable: "state", operator: "==", value: "ready", targetNodeId: "b" },
];

test("importAgent() reads a row in each of its four spellings, and emit() retargets it in the same", () => {
  for (const row of SPELLINGS) {
    const data = { name: "a", url: "https://a.test", isStart: true, responsePathways: [row] };
    const ends = ["b", "c"].map((id) => ({ id, type: "End Call", data: { name: id, text: "Bye." } }));
    const { graph: read } = importAgent({ nodes: [{ id: "a", type: "Webhook", data }, ...ends], edges: [] });
    const [way] = read.nodes.a?.transitions ?? [];
    assert.deepEqual(way?.condition.equations, [{ left: "state", operator: "==", right: "ready" }]);
    const changed = { ...read.nodes.a, transitions: [{ ...way, target_node_id: "c" }] };
    const written = JSON.stringify(
      emit({ ...read, nodes: { ...read.nodes, a: changed } } as typeof read, "bland").config,
    );
    assert.ok(written.includes(JSON.stringify(row).replaceAll('"b"', '"c"')), written);
  }
});

test("importAgent() names the first problem of a pathway and its place", () => {
  const end = { id: "b", type: "End Call", data: { name: "b" } };
  for (const [document, path] of [
    [{ nodes: [end, end], edges: [] }, ["nodes", 1, "id"]],
    [{ nodes: [end], edges: {} }, ["edges"]],
    [{ nodes: [end, 7], edges: [] }, ["nodes", 1]],
    [{ nodes: [{ ...end, data: "x" }], edges: [] }, ["nodes", 0, "data"]],
    [{ nodes: [{ ...end, data: { routes: {} } }], edges: [] }, ["nodes", 0, "data", "routes"]],
    [{ nodes: [{ globalConfig: { globalPrompt: "x" } }], edges: [] }, ["nodes"]],
  ] as const)
    assert.throws(
      () => importAgent(document, { format: "bland" }),
      (error) =>
        isCallweaveError(error) && error.code === "unknown-shape" && assert.deepEqual(error.path, path) === undefined,
    );
});

test("importAgent() reads ids that objects have of their own", () => {
  const nodes = ["__proto__", "constructor", "toString"].map((id) => ({
    id,
    type: "Default",
    data: { name: id, prompt: `At ${id}.` },
  }));
  const edges = [{ id: "e", source: "__proto__", target: "constructor", data: { label: "Go" } }];
  const text = JSON.stringify({ nodes, edges });
  const { graph: read } = importAgent(text);
  assert.deepEqual(Object.keys(read.nodes), ["__proto__", "constructor", "toString"]);
  assert.equal(read.entry_node_id, "__proto__");
  assert.equal(emit(read, "bland").text, text);
});

test("an agent of version 2 comes back as it was, and its system prompt can be edited", () => {
  const snapshot = {
    behavior: { nodes: [{ id: "n", type: "agent", data: { prompt: "Help." } }], edges: [] },
    settings: { systemPrompt: "You help.", displayName: "Helper", voice: "josh" },
    contact: { inboundNumbers: [] },
  };
  for (const document of [snapshot, { snapshot, name: "first" }]) {
    const text = JSON.stringify(document, null, 2);
    const imported = importAgent(text);
    assert.deepEqual([imported.format, imported.findings.map(({ code }) => code)], ["bland", ["unread-flow"]]);
    assert.equal(emit(imported.graph, "bland").text, text);
    const source_metadata = { ...imported.graph.source_metadata, general_prompt: "You help well." };
    const edited = emit({ ...imported.graph, source_metadata }, "bland");
    assert.deepEqual([edited.text, edited.losses], [text.replace("You help.", "You help well."), []]);
    const nodes = { agent: { ...imported.graph.nodes.agent, state_prompt: "Other." } };
    const lost = emit({ ...imported.graph, nodes } as typeof imported.graph, "bland").losses;
    assert.deepEqual(
      lost.map(({ code }) => code),
      ["agent-flow"],
    );
  }
});

const corpus = new URL("../../../../../shared/corpus/bland/", import.meta.url);
test("published pathways are emitted as imported", { skip: existsSync(corpus) ? false : "no corpus" }, () => {
  for (const file of readdirSync(corpus).filter((each) => each.endsWith(".json"))) {
    const text = readFileSync(new URL(file, corpus), "utf8");
    const imported = importAgent(text);
    assert.equal(imported.format, "bland", file);
    assert.equal(emit(imported.graph, "bland").text, text, file);
  }
});
