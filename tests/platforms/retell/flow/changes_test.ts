import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { own } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, type AgentNode, parseGraph } from "../../../../src/document/graph/mod.ts";
import { differences, meaning } from "./differences.ts";
import { hotelExport } from "./every_node.ts";

const read = (document: unknown): AgentGraph => importAgent(document, { format: "retell" }).graph;

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const graph = parseGraph(plain(read(hotelExport)));
const emitted = (changed: AgentGraph): unknown => plain(emit(changed, "retell").config);

function nodeOf(id: string): AgentNode {
  const node = own(graph.nodes, id);
  assert.ok(node, id);
  return node;
}

/** Replaces a node; returns the changes of the document. */
function changes(node: AgentNode, more: Partial<AgentGraph> = {}): string[] {
  const changed = { ...graph, nodes: { ...graph.nodes, [node.id]: node }, ...more };
  const after = emitted(changed);
  assert.deepEqual(meaning(read(after)), meaning(parseGraph(plain(changed))));
  return differences(plain(hotelExport), after);
}

const flow = (path: string) => `conversationFlow.${path}`;

test("emit() adds only the edge of a new transition, at its position", () => {
  const node = nodeOf("welcome");
  const added = { target_node_id: "bye", condition: { type: "llm_prompt", value: "Wrong number" } } as const;
  assert.deepEqual(changes({ ...node, transitions: node.transitions.toSpliced(1, 0, added) }), [
    flow("nodes.0.edges.1"),
  ]);
});

test("emit() removes the edge of a removed transition, and keeps unconnected edges in place", () => {
  const node = nodeOf("welcome");
  assert.deepEqual(changes({ ...node, transitions: node.transitions.toSpliced(0, 1) }), [flow("nodes.0.edges.0")]);
  assert.deepEqual(changes({ ...node, transitions: node.transitions.toSpliced(2, 1) }), [flow("nodes.0.else_edge")]);
});

test("emit() keeps all keys of reordered edges", () => {
  const node = nodeOf("welcome");
  const [first, second, last] = node.transitions;
  assert.ok(first && second && last);
  const after = changes({ ...node, transitions: [second, first, last] });
  assert.deepEqual(
    after.every((path) => path.startsWith(flow("nodes.0.edges."))),
    true,
  );
});

test("emit() adds a node at the end of the list", () => {
  const node: AgentNode = { ...nodeOf("bye"), id: "later", state_prompt: "Call later.", metadata: {} };
  assert.deepEqual(changes(node), [flow(`nodes.${hotelExport.conversationFlow.nodes.length}`)]);
});

test("emit() removes a node", () => {
  const { cancel: _, ...nodes } = graph.nodes;
  const after = emitted({ ...graph, nodes });
  assert.deepEqual(differences(plain(hotelExport), after), [flow("nodes.15")]);
});

test("emit() writes an edit of a tool to the flow's list", () => {
  const node = nodeOf("rate");
  const [tool] = node.tools;
  assert.ok(tool);
  const put = (change: object) => changes({ ...node, tools: [{ ...tool, ...change }] });
  assert.deepEqual(put({ url: "https://example.test/other" }), [flow("tools.0.url")]);
  assert.deepEqual(put({ response_variables: { cost: "$.price" } }), [
    flow("tools.0.response_variables.price"),
    flow("tools.0.response_variables.cost"),
  ]);
});

test("emit() copies a tool of two nodes if it is edited at one of them", () => {
  const node = nodeOf("butler");
  const [note, ...others] = node.tools;
  const rate = nodeOf("rate");
  assert.ok(note);
  const both = { ...rate, tools: [{ ...note, description: "Another" }] };
  const after = emitted({
    ...graph,
    nodes: { ...graph.nodes, rate: both, butler: { ...node, tools: [note, ...others] } },
  });
  const back = read(after);
  assert.deepEqual(
    own(back.nodes, "rate")?.tools.map(({ description }) => description),
    ["Another"],
  );
  assert.deepEqual(
    own(back.nodes, "butler")?.tools.map(({ name }) => name),
    ["take_note", "hang_up"],
  );
});

test("emit() writes edits of settings of the whole agent", () => {
  const source = graph.source_metadata;
  const node = nodeOf("bye");
  const put = (more: object) => changes(node, { source_metadata: { ...source, ...more } });
  assert.deepEqual(put({ general_prompt: "Be kind." }), [flow("global_prompt")]);
  assert.deepEqual(put({ start_speaker: "user" }), [flow("start_speaker")]);
  assert.deepEqual(put({ default_dynamic_variables: { hotel: "Alder", floor: "2" } }), [
    flow("default_dynamic_variables.floor"),
  ]);
  assert.deepEqual(changes(node, { default_model: "gpt-5" }), [flow("model_choice.model")]);
  assert.deepEqual(changes(node, { entry_node_id: "menu" }), [flow("start_node_id")]);
});

test("emit() writes the start node if an edit would change the default", () => {
  const talk = (id: string, to: string) => ({
    id,
    type: "conversation",
    edges: [{ id: `e-${id}`, transition_condition: { type: "prompt", prompt: "Next" }, destination_node_id: to }],
  });
  const document = { conversation_flow_id: "f", nodes: [talk("a", "b"), talk("b", "a")] };
  const first = parseGraph(plain(read(document)));
  const { a, b } = first.nodes;
  assert.ok(a && b);
  const put = (nodes: readonly AgentNode[], entry: string) => {
    const changed = { ...first, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])), entry_node_id: entry };
    const after = emitted(changed);
    assert.equal(read(after).entry_node_id, entry);
    return differences(plain(document), after);
  };
  const everywhere = { condition: "Anybody asks", go_back_conditions: [] };
  assert.deepEqual(put([{ ...a, global_node_setting: everywhere }, b], "a"), [
    "nodes.0.global_node_setting",
    "start_node_id",
  ]);
  assert.deepEqual(put([b, a], "a").includes("start_node_id"), true);
  const toFirst = b.transitions.map((transition) => ({ ...transition, target_node_id: "first" }));
  assert.deepEqual(
    put(
      [
        { ...a, id: "first" },
        { ...b, transitions: toFirst },
      ],
      "first",
    ),
    ["nodes.0.id", "nodes.1.edges.0.destination_node_id"],
  );
});

test("emit() writes edited global settings and variables to their original places", () => {
  const desk = nodeOf("desk");
  const stay = nodeOf("stay");
  const setting = desk.global_node_setting;
  const [night, room] = stay.variables_to_extract;
  assert.ok(setting && night && room);
  const at = (id: string) => flow(`nodes.${hotelExport.conversationFlow.nodes.findIndex((node) => node.id === id)}`);
  assert.deepEqual(changes({ ...desk, global_node_setting: { ...setting, condition: "A person" } }), [
    `${at("desk")}.global_node_setting.condition`,
  ]);
  const changed = {
    ...stay,
    variables_to_extract: [
      { ...night, description: "Day" },
      { ...room, choices: ["single"] },
    ],
  };
  assert.deepEqual(changes(changed), [`${at("stay")}.variables.0.description`, `${at("stay")}.variables.1.choices.1`]);
});

test("emit() writes an edited component into the flow's list", () => {
  const ask = nodeOf("pay/ask-card");
  assert.deepEqual(changes({ ...ask, state_prompt: "Ask twice." }), [flow("components.0.nodes.0.instruction.text")]);
});

test("emit() moves a component's nodes to the flow if the component node was edited, and reports it", () => {
  const pay = { ...nodeOf("pay"), node_type: "conversation", state_prompt: "Wait for the card." } as const;
  const changed = { ...graph, nodes: { ...graph.nodes, pay } };
  const { config, losses } = emit(changed, "retell");
  assert.deepEqual(
    losses?.map(({ code, path }) => [code, path.join(".")]),
    [["component", "nodes.pay"]],
  );
  const back = read(plain(config));
  assert.deepEqual(own(back.nodes, "pay")?.transitions[0]?.target_node_id, "pay/ask-card");
  assert.equal(own(back.nodes, "pay/ask-card")?.state_prompt, nodeOf("pay/ask-card").state_prompt);
});

test("emit() moves a component's nodes to the flow if one has a transition out of it, and reports it", () => {
  const ask = nodeOf("pay/ask-card");
  const way = { target_node_id: "bye", condition: { type: "llm_prompt", value: "Caller hangs up" } } as const;
  const changed = { ...graph, nodes: { ...graph.nodes, [ask.id]: { ...ask, transitions: [...ask.transitions, way] } } };
  const { config, losses } = emit(changed, "retell");
  assert.deepEqual(
    losses?.map(({ code, path }) => [code, path.join(".")]),
    [["component", "nodes.pay"]],
  );
  assert.equal(own(read(plain(config)).nodes, ask.id)?.transitions[1]?.target_node_id, "bye");
});

test("emit() keeps the braces of an edited equation's variable, and adds none", () => {
  const clause = (left: string) => ({ left, operator: "==", right: "1" });
  const document = (...lefts: readonly string[]) => ({
    conversation_flow_id: "f",
    start_node_id: "a",
    nodes: [
      {
        id: "a",
        type: "branch",
        edges: [
          {
            id: "e",
            destination_node_id: "b",
            transition_condition: { type: "equation", operator: "&&", equations: lefts.map(clause) },
          },
        ],
        else_edge: { id: "else", transition_condition: { type: "prompt", prompt: "Else" } },
      },
      { id: "b", type: "end" },
    ],
  });
  const text = JSON.stringify(read(document("{{ plan }}", "age")));
  const edited = parseGraph(
    JSON.parse(text.replace('"left":"plan"', '"left":"tier"').replace('"left":"age"', '"left":"years"')),
  );
  assert.deepEqual(differences(plain(document("{{ tier }}", "years")), emitted(edited)), []);
});
