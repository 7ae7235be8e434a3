import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";
import { differences, emitted, imported, saved } from "./documents.ts";

const talk = (name: string, more: object = {}) => ({ name, type: "conversation", prompt: name, ...more });
const way = (from: string, to: string) => ({ from, to, condition: { type: "ai", prompt: "Go on" } });

/** Changes the nodes of a graph, or removes a node if the change returns `undefined`. */
function edited(graph: AgentGraph, change: (node: AgentNode) => AgentNode | undefined): AgentGraph {
  const nodes = Object.entries(graph.nodes).flatMap(([id, node]) => {
    const changed = change(node);
    return changed ? [[id, changed] as const] : [];
  });
  return saved({ ...graph, nodes: Object.fromEntries(nodes) });
}

const leadsTo = (node: AgentNode, target: string): AgentNode => ({
  ...node,
  transitions: [...node.transitions, { target_node_id: target, condition: { type: "llm_prompt", value: "New" } }],
});

function targets(graph: AgentGraph): readonly (readonly [string, readonly string[]])[] {
  return Object.values(graph.nodes).map(({ id, transitions }) => [id, transitions.map((to) => to.target_node_id)]);
}

test("importAgent() detects a workflow without edges or with an unnamed node", () => {
  for (const document of [
    { name: "w", nodes: [talk("a"), { name: "bye", type: "hangup" }] },
    { name: "w", nodes: [{ type: "conversation", prompt: "Hello." }], edges: [] },
    { exportedAt: "today", workflow: { nodes: [talk("a")], edges: null } },
  ]) {
    const { graph, format } = importAgent(document);
    assert.equal(format, "vapi-workflow");
    assert.deepEqual(emitted(saved(graph)), document);
  }
});

test("emit() renames the second of two nodes with the same name if it gets an edge", () => {
  const document = { nodes: [talk("a", { isStart: true }), talk("b"), talk("b")], edges: [way("a", "b")] };
  const graph = imported(document);
  for (const [from, to, edge] of [
    ["a", "b_2", ["a", "b_2"]],
    ["b_2", "a", ["b_2", "a"]],
  ] as const) {
    const changed = edited(graph, (node) => (node.id === from ? leadsTo(node, to) : node));
    const found = differences(document, emitted(changed));
    assert.deepEqual(found, [
      ["nodes.2.name", "b_2"],
      ["edges.1", { from: edge[0], to: edge[1], condition: { type: "ai", prompt: "New" } }],
    ]);
    assert.deepEqual(targets(imported(emitted(changed))), targets(changed));
  }
});

test("emit() keeps node ids when a node with the same name is deleted", () => {
  const graph = imported({ nodes: [talk("a", { isStart: true }), talk("b"), talk("b"), { type: "say", exact: "Hi" }] });
  const changed = edited(graph, (node) => (node.id === "b" ? undefined : node));
  assert.deepEqual(Object.keys(changed.nodes), ["a", "b_2", "node_4"]);
  assert.deepEqual(targets(imported(emitted(changed))), targets(changed));
});

test("importAgent() starts an unmarked workflow at the first node without an incoming edge", () => {
  assert.equal(imported({ nodes: [talk("a"), talk("b")], edges: [way("b", "a")] }).entry_node_id, "b");
  const ids = { nodes: [talk("a", { id: "1" }), talk("b", { id: "2" })], edges: [{ source: "2", target: "1" }] };
  assert.equal(imported(ids).entry_node_id, "b");
  const loop = { nodes: [talk("a"), talk("b")], edges: [way("b", "b"), way("b", "a")] };
  assert.equal(imported(loop).entry_node_id, "b");
  const help = talk("help", { globalNodePlan: { enabled: true, enterCondition: "Caller is lost" } });
  assert.equal(imported({ nodes: [help, talk("b")], edges: [] }).entry_node_id, "b");
  const circle = { nodes: [talk("a"), talk("b")], edges: [way("b", "a"), way("a", "b")] };
  assert.equal(imported(circle).entry_node_id, "a");
});

test("emit() marks the start node if edited edges would change it", () => {
  const document = { nodes: [talk("a"), talk("b"), talk("c")], edges: [way("b", "a"), way("b", "c")] };
  const graph = imported(document);
  assert.equal(graph.entry_node_id, "b");
  for (const changed of [
    edited(graph, (node) => (node.id === "c" ? leadsTo(node, "b") : node)),
    edited(graph, (node) => (node.id === "b" ? { ...node, transitions: node.transitions.slice(1) } : node)),
  ]) {
    assert.deepEqual(
      differences(document, emitted(changed)).filter(([path]) => path.startsWith("nodes")),
      [["nodes.1.isStart", true]],
    );
    assert.equal(imported(emitted(changed)).entry_node_id, "b");
  }
});

test("emit() leaves one marked start node when the entry node changes", () => {
  const marked = { isStart: true };
  const graph = imported({ nodes: [talk("a", marked), talk("b", marked), talk("c")], edges: [] });
  const changed = saved({ ...graph, entry_node_id: "c" });
  assert.equal(imported(emitted(changed)).entry_node_id, "c");
});

test("emit() makes nodes global or ordinary in each form of the document", () => {
  const plan = (enabled: boolean, enterCondition: string | null) => ({ globalNodePlan: { enabled, enterCondition } });
  const documented = { isGlobal: true, condition: "Caller is lost" };
  for (const said of [
    {},
    { globalNodePlan: null },
    plan(false, ""),
    plan(false, null),
    plan(false, "Before"),
    plan(true, ""),
    plan(true, "Before"),
    documented,
    { ...documented, ...plan(false, "") },
    { ...documented, ...plan(true, "Before") },
    { type: "global", condition: "Caller is lost" },
    { isGlobal: true, condition: "" },
  ]) {
    const graph = imported({ nodes: [talk("a", { isStart: true }), talk("help", said)], edges: [] });
    for (const setting of [undefined, { condition: "Now", go_back_conditions: [] }]) {
      const changed = edited(graph, ({ global_node_setting: _, ...node }) =>
        node.id === "help" && setting ? { ...node, global_node_setting: setting } : node,
      );
      const again = imported(emitted(changed)).nodes.help;
      assert.deepEqual(again?.global_node_setting, setting, JSON.stringify([said, setting]));
    }
  }
});

test("emit() writes the first message to the place that takes precedence", () => {
  const document = { nodes: [talk("a", { messagePlan: { firstMessage: "Hi" }, firstMessage: "Hello" })], edges: [] };
  const graph = imported(document);
  const say = (begin_message: string) =>
    emitted(saved({ ...graph, source_metadata: { ...graph.source_metadata, begin_message } }));
  assert.deepEqual(differences(document, say("Good day")), [["nodes.0.messagePlan.firstMessage", "Good day"]]);
  assert.equal(imported(say("")).source_metadata.begin_message, undefined);
});

test("emit() reports default values of variables, which workflows do not support", () => {
  const graph = imported({ nodes: [talk("a")], edges: [] });
  const given = { ...graph.source_metadata, default_dynamic_variables: { plan: "gold" } };
  const { losses } = emit(saved({ ...graph, source_metadata: given }), "vapi-workflow");
  assert.deepEqual(
    losses.map(({ code, kind, path }) => [code, kind, path.at(-1)]),
    [["variable-default", "dropped", "plan"]],
  );
});

test("emit() reports transitions on which a workflow extracts different variables", () => {
  const output = [{ title: "city", type: "string", description: "Where" }];
  const nodes = [talk("a", { variableExtractionPlan: { output } }), talk("b"), talk("c"), talk("d")];
  const graph = imported({ nodes, edges: [way("a", "b"), way("a", "c")] });
  const lost = (change: (node: AgentNode) => AgentNode) =>
    emit(edited(graph, change), "vapi-workflow").losses.map(({ code, path }) => [code, path.join(".")]);
  assert.deepEqual(
    lost((node) => node),
    [],
  );
  assert.deepEqual(
    lost((node) => (node.id === "a" ? leadsTo(node, "d") : node)),
    [["extraction-timing", "nodes.a.transitions.2"]],
  );
  const other = [{ name: "city", description: "Which city", type: "string" }];
  assert.deepEqual(
    lost((node) => (node.id === "a > c" ? { ...node, variables_to_extract: other } : node)),
    [["extraction-timing", "nodes.a.transitions.0"]],
  );
});

test("emit() writes an extract node that does more than extract as a node of its own", () => {
  const output = [{ title: "city", type: "string", description: "Where" }];
  const graph = imported({
    nodes: [talk("a", { variableExtractionPlan: { output } }), talk("b"), talk("c")],
    edges: [way("a", "b"), way("a", "c")],
  });
  const equation = { type: "equation", equations: [{ left: "city", operator: "==", right: "Rome" }] } as const;
  const further = { target_node_id: "b", condition: { ...equation, value: "", logical_operator: "and" as const } };
  for (const change of [
    (node: AgentNode) => ({ ...node, transitions: [further, ...node.transitions] }),
    (node: AgentNode) => ({ ...node, transitions: [] }),
    (node: AgentNode) => ({ ...node, state_prompt: "Only big cities" }),
    (node: AgentNode) => ({ ...node, transitions: [{ ...further, target_node_id: "a > b" }] }),
  ]) {
    const changed = edited(graph, (node) => (node.id === "a > c" ? change(node) : node));
    const again = imported(emitted(changed));
    assert.deepEqual(
      again.nodes.a?.transitions.map((to) => to.target_node_id),
      ["a > b", "a > a > c"],
    );
    const ways = changed.nodes["a > c"]?.transitions.map((to) => (to.target_node_id === "c" ? "c" : "b"));
    assert.deepEqual(
      again.nodes["a > c"]?.transitions.map((to) => to.target_node_id),
      ways?.map((to) => `a > c > ${to}`),
    );
  }
  assert.equal(imported(emitted(saved({ ...graph, entry_node_id: "a > c" }))).entry_node_id, "a > c");
});
