import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, formatNamed, importAgent } from "../../../../platforms/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { isRecord, jsonText, recordAt } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { clinicAgent } from "./_clinic.ts";

const read = (document: unknown) => importAgent(document, { format: "elevenlabs" }).graph;
const edited = (graph: AgentGraph, change: (graph: AgentGraph) => AgentGraph) =>
  emit(change(parseGraph(JSON.parse(JSON.stringify(graph)))), "elevenlabs");

/** Changes the first transition of a node. */
function withCondition(graph: AgentGraph, id: string, index: number, value: string): AgentGraph {
  const node = graph.nodes[id];
  assert.ok(node);
  const transitions = node.transitions.map((each, at) =>
    at === index ? { ...each, condition: { ...each.condition, value } } : each,
  );
  return { ...graph, nodes: { ...graph.nodes, [id]: { ...node, transitions } } };
}

const changedLines = (before: string, after: string) => {
  const left = before.split("\n");
  return after.split("\n").filter((line, at) => line !== left[at]);
};

test("an agent with a workflow is read: entry, prompts, ways back, order, expressions, tools", () => {
  const { nodes, entry_node_id: entry, source_metadata: source } = read(clinicAgent());
  assert.equal(entry, "greet");
  assert.equal(source.general_prompt, "You work for a clinic.");
  assert.equal(source.begin_message, "Clinic, hello.");
  assert.deepEqual(source.default_dynamic_variables, { visits: 3, vip: false, name: "Ann" });
  assert.equal(nodes.start_node, undefined);
  assert.deepEqual(
    nodes.greet?.transitions.map(({ target_node_id: to, condition: { type, value, equations } }) => [
      to,
      type,
      value,
      equations ?? [],
    ]),
    [
      [
        "vip",
        "equation",
        "",
        [
          { left: "vip", operator: "==", right: true },
          { left: "visits", operator: ">=", right: 2 },
        ],
      ],
      ["book", "llm_prompt", "Caller wants an appointment", []],
    ],
  );
  assert.deepEqual(
    nodes.book?.transitions.map(({ target_node_id: to, condition }) => [to, condition.type, condition.value]),
    [
      ["greet", "llm_prompt", "Caller asks for something else"],
      ["look_up", "always", ""],
    ],
  );
  assert.deepEqual(
    nodes.look_up?.transitions.map(({ condition }) => condition.outcome),
    ["succeeded", "failed"],
  );
  assert.equal(nodes.vip?.state_prompt, "You are the assistant of important guests.");
  assert.equal(recordAt(nodes.vip?.metadata ?? {}, "elevenlabs").replaces_prompt, true);
  assert.equal(nodes.note?.node_type, "extract");
  assert.deepEqual(nodes.note?.variables_to_extract, [
    { name: "day", description: "The day", type: "enum", choices: ["mon", "tue"] },
  ]);
  assert.equal(nodes.sorry?.instruction_type, "static_text");
  assert.equal(nodes.desk?.node_type, "transfer");
  assert.deepEqual(
    nodes.greet?.tools.map(({ name, type }) => [name, type]),
    [
      ["find_slot", "custom"],
      ["end_call", "end_call"],
    ],
  );
});

test("an edit of the way back changes one line, on the same edge", () => {
  const before = jsonText(clinicAgent());
  const { text } = edited(read(before), (graph) => withCondition(graph, "book", 0, "Caller changes the subject"));
  const lines = changedLines(before, text);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /Caller changes the subject/);
});

test("a new way back is the backward condition of the edge that is there", () => {
  const { config } = edited(read(clinicAgent()), (graph) => {
    const { vip } = graph.nodes;
    assert.ok(vip);
    const transitions = [
      { target_node_id: "greet", condition: { type: "llm_prompt" as const, value: "Guest is done" } },
    ];
    return { ...graph, nodes: { ...graph.nodes, vip: { ...vip, transitions } } };
  });
  const workflow = isRecord(config) ? recordAt(config, "workflow") : {};
  const edge = recordAt(recordAt(workflow, "edges"), "edge_vip");
  assert.deepEqual(edge.backward_condition, { type: "llm", condition: "Guest is done" });
  assert.deepEqual(recordAt(recordAt(workflow, "nodes"), "vip").edge_order, ["edge_vip"]);
});

test("a prompt that replaces the agent's stays where it is, and one that adds to it, too", () => {
  const change = (id: string) =>
    edited(read(clinicAgent()), (graph) => {
      const node = graph.nodes[id];
      assert.ok(node);
      return { ...graph, nodes: { ...graph.nodes, [id]: { ...node, state_prompt: "New." } } };
    });
  const node = (id: string) => {
    const { config } = change(id);
    return recordAt(recordAt(recordAt(isRecord(config) ? config : {}, "workflow"), "nodes"), id);
  };
  assert.deepEqual(node("vip").conversation_config, { agent: { prompt: { prompt: "New.", llm: "gpt-4o" } } });
  assert.equal(node("vip").additional_prompt, undefined);
  assert.equal(node("greet").additional_prompt, "New.");
  assert.equal(node("greet").conversation_config, undefined);
});

test("an agent without a graph is one prompt, and gets no workflow", () => {
  const text = jsonText({
    name: "One",
    conversation_config: { agent: { first_message: "Hi", prompt: { prompt: "Be kind." } } },
  });
  const graph = read(text);
  assert.deepEqual(Object.keys(graph.nodes), ["main"]);
  const after = edited(graph, ({ source_metadata: source, ...rest }) => ({
    ...rest,
    source_metadata: { ...source, general_prompt: "Be brief." },
  }));
  assert.deepEqual(
    changedLines(text, after.text).map((line) => line.trim()),
    ['"prompt": "Be brief."'],
  );
});

test("files of the command line keep their spelling, at the keys that are edited, too", () => {
  const document = {
    agentId: "agent_1",
    conversationConfig: { agent: { firstMessage: "Hi", prompt: { prompt: "Be kind.", toolIds: [] } } },
    workflow: {
      nodes: { start_node: { type: "start", position: { x: 0, y: 0 }, edgeOrder: [] } },
      edges: {},
      preventSubagentLoops: false,
    },
  };
  const graph = read(document);
  assert.equal(graph.source_metadata.begin_message, "Hi");
  assert.deepEqual(emit(graph, "elevenlabs").config, document);
  const { config } = edited(graph, ({ source_metadata: source, ...rest }) => ({
    ...rest,
    source_metadata: { ...source, begin_message: "Hello" },
  }));
  assert.deepEqual(config, {
    ...document,
    conversationConfig: { agent: { ...document.conversationConfig.agent, firstMessage: "Hello" } },
  });
});

test("edges of 2025, a workflow inside conversation_config and a prompt that is a text are read and come back", () => {
  const document = {
    conversation_config: {
      agent: { prompt: "Be kind." },
      workflow: {
        nodes: {
          start_node: { type: "start", edgeOrder: ["e"] },
          ask: { type: "override_agent", label: "Ask", additional_prompt: "Ask." },
        },
        edges: { e: { source: "start_node", destination: "ask", condition: null } },
      },
    },
  };
  const graph = read(document);
  assert.equal(graph.entry_node_id, "ask");
  assert.equal(graph.source_metadata.general_prompt, "Be kind.");
  assert.deepEqual(emit(graph, "elevenlabs").config, document);
});

test("a person's name and e-mail address are in no metadata", () => {
  const graph = read({ ...clinicAgent(), access_info: { creator_email: "ann@acme.test", creator_name: "Ann B" } });
  const { original: _, ...kept } = graph.source_metadata;
  assert.ok(!JSON.stringify({ ...graph, source_metadata: kept }).includes("ann@acme.test"));
});

test("unknown node types, fields and what is no object are kept and named", () => {
  const document = clinicAgent();
  const nodes = { ...document.workflow.nodes, new: { type: "hologram", beam: 3 }, odd: 7 };
  const found = importAgent({ ...document, workflow: { ...document.workflow, nodes } });
  assert.deepEqual(
    found.findings.map(({ code, path }) => [code, path]),
    [["unknown-node-type", ["workflow", "nodes", "new", "type"]]],
  );
  assert.deepEqual(emit(found.graph, "elevenlabs").config, { ...document, workflow: { ...document.workflow, nodes } });
});

for (const [state, document, message] of [
  [
    "a list of nodes",
    { conversation_config: {}, workflow: { nodes: [] } },
    '"workflow.nodes" is a list and not an object',
  ],
  ["a workflow alone", { nodes: { a: { type: "override_agent" } }, edges: {} }, "it is a workflow without its agent"],
  ["a tool", { type: "webhook", api_schema: { url: "https://acme.test" } }, "it is a tool of ElevenLabs and no agent"],
  [
    "a prompt that is a number",
    { conversation_config: { agent: { first_message: 3 } } },
    '"first_message" is a number and not a text',
  ],
] as const)
  test(`${state} is refused with its own error`, () => {
    assert.throws(
      () => importAgent(document),
      (error) =>
        isCallweaveError(error) &&
        error.code === "unknown-shape" &&
        error.message === `Cannot import ElevenLabs agent: ${message}`,
    );
  });

const CORPUS = new URL("../../../../../shared/corpus/elevenlabs/", import.meta.url);

test("published agents come back byte for byte", (t) => {
  if (!existsSync(CORPUS)) return t.skip("shared/corpus is not here");
  let count = 0;
  for (const name of readdirSync(CORPUS).filter((each) => each.endsWith(".json"))) {
    const text = readFileSync(new URL(name, CORPUS), "utf8");
    if (!/conversation_?config/i.test(text)) continue;
    const { text: again, losses } = emit(importAgent(text).graph, "elevenlabs");
    assert.equal(again, text, name);
    assert.deepEqual(losses, [], name);
    count++;
  }
  assert.ok(count > 10);
});

test("two edges of one pair are an error of the check, and stay as they are in the file", () => {
  const document = clinicAgent();
  const back = {
    source: "book",
    target: "greet",
    forward_condition: { type: "llm", condition: "Back" },
    backward_condition: null,
  };
  const twice = {
    ...document,
    workflow: { ...document.workflow, edges: { ...document.workflow.edges, edge_back: back } },
  };
  const graph = read(twice);
  assert.deepEqual(emit(graph, "elevenlabs").config, twice);
  const found = formatNamed("elevenlabs").checkGraph?.(graph, emit(graph, "elevenlabs").config) ?? [];
  assert.deepEqual(
    found.map(({ code, severity, path }) => [code, severity, path.at(-1)]),
    [["duplicate-edge", "error", "edge_back"]],
  );
});

test("an expression that the graph has no words for is judged by its words, and written as it is until they change", () => {
  const expression = {
    type: "gt_operator",
    left: {
      type: "add_operator",
      left: { type: "dynamic_variable", name: "visits" },
      right: { type: "number_literal", value: 1 },
    },
    right: { type: "number_literal", value: 3 },
  };
  const document = clinicAgent();
  const { edge_desk: desk } = document.workflow.edges;
  const edges = {
    ...document.workflow.edges,
    edge_desk: { ...desk, forward_condition: { label: null, type: "expression", expression } },
  };
  const graph = read({ ...document, workflow: { ...document.workflow, edges } });
  const condition = graph.nodes.sorry?.transitions[0]?.condition;
  assert.deepEqual([condition?.type, condition?.value], ["llm_prompt", "(({{visits}}) + (1)) is more than (3)"]);
  const written = (changed: AgentGraph) => {
    const { original: _, ...source } = changed.source_metadata;
    const { config } = emit({ ...changed, source_metadata: source }, "elevenlabs");
    return recordAt(recordAt(recordAt(isRecord(config) ? config : {}, "workflow"), "edges"), "edge_desk")
      .forward_condition;
  };
  assert.deepEqual(written(graph), { type: "expression", expression });
  assert.deepEqual(written(withCondition(graph, "sorry", 0, "Guest comes often")), {
    type: "llm",
    condition: "Guest comes often",
  });
});

test("a joint of one part, and a joint in the same joint, are equations, and stay around an edited value", () => {
  const is = (name: string, value: string) => ({
    ...{ type: "eq_operator", left: { type: "dynamic_variable", name } },
    right: { type: "string_literal", value },
  });
  const joint = (type: string, ...children: readonly object[]) => ({ type, children });
  const document = clinicAgent();
  const { edge_desk: desk } = document.workflow.edges;
  const withExpression = (expression: object) => ({
    ...document,
    workflow: {
      ...document.workflow,
      edges: {
        ...document.workflow.edges,
        edge_desk: { ...desk, forward_condition: { type: "expression", expression } },
      },
    },
  });
  const readBack = (expression: object) => {
    const graph = read(withExpression(expression));
    assert.deepEqual(emit(graph, "elevenlabs").config, withExpression(expression));
    const { condition } = graph.nodes.sorry?.transitions[0] ?? {};
    return { graph, clauses: condition?.equations?.map(({ left, right }) => `${left} ${String(right)}`) };
  };
  for (const type of ["and_operator", "or_operator"]) {
    const { graph, clauses } = readBack(joint(type, is("tier", "gold")));
    assert.deepEqual(clauses, ["tier gold"], type);
    const edited = structuredClone(graph);
    Object.assign(edited.nodes.sorry?.transitions[0]?.condition.equations?.[0] ?? {}, { right: "silver" });
    assert.deepEqual(emit(edited, "elevenlabs").config, withExpression(joint(type, is("tier", "silver"))));
  }
  const nested = joint("and_operator", is("a", "1"), joint("and_operator", is("b", "2"), is("c", "3")));
  assert.deepEqual(readBack(nested).clauses, ["a 1", "b 2", "c 3"]);
  const mixed = joint("and_operator", is("a", "1"), joint("or_operator", is("b", "2"), is("c", "3")));
  assert.equal(readBack(mixed).clauses, undefined);
});

test("the outcome of a tool that a function node does not run is a loss, and no edge that is always taken", () => {
  const graph = parseGraph({
    entry_node_id: "look",
    nodes: {
      look: {
        node_type: "function",
        tools: [{ name: "look_up" }, { name: "other" }],
        transitions: [
          { target_node_id: "found", condition: { type: "tool_call", value: "other" } },
          { target_node_id: "bye", condition: { type: "tool_call", value: "look_up" } },
        ],
      },
      found: { node_type: "end", state_prompt: "" },
      bye: { node_type: "end", state_prompt: "" },
    },
  });
  const { config, losses } = emit(graph, "elevenlabs");
  const edges = Object.values(recordAt(recordAt(isRecord(config) ? config : {}, "workflow"), "edges")).filter(isRecord);
  const typeTo = (target: string) =>
    edges.filter((edge) => edge.target === target).map((edge) => recordAt(edge, "forward_condition").type);
  assert.deepEqual([typeTo("found"), typeTo("bye")], [["llm"], ["unconditional"]]);
  const lost = losses.filter(({ code }) => code === "tool-condition").map(({ path }) => path.join("."));
  assert.deepEqual(lost, ["nodes.look.transitions.0"]);
});
