import assert from "node:assert/strict";
import { test } from "node:test";
import { emit } from "../../../../platforms/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import {
  bikeWorkshop,
  DOCUMENTED,
  differences,
  emitted,
  imported,
  record,
  SECOND_GENERATION,
  saved,
} from "./documents.ts";

type Editable<Value> = Value extends object ? { -readonly [Key in keyof Value]: Editable<Value[Key]> } : Value;

/** Edits the graph of a document and returns the differences in the emitted document. */
function changed(document: unknown, edit: (graph: Editable<AgentGraph>) => void) {
  const graph: Editable<AgentGraph> = JSON.parse(JSON.stringify(imported(document)));
  edit(graph);
  return differences(document, emitted(saved(graph)));
}

function node(graph: Editable<AgentGraph>, id: string): Editable<AgentGraph["nodes"][string]> {
  const found = graph.nodes[id];
  if (!found) throw new TypeError(`no node "${id}"`);
  return found;
}

function transition(graph: Editable<AgentGraph>, id: string, index = 0) {
  const found = node(graph, id).transitions[index];
  if (!found) throw new TypeError(`no transition ${index}`);
  return found;
}

test("emit() writes an edited prompt to its original place, in every generation", () => {
  for (const [document, id, path] of [
    [bikeWorkshop(), "welcome", "workflow.nodes.0.prompt"],
    [bikeWorkshop(), "hangup_1751882355790", "workflow.nodes.9.tool.messages.0.content"],
    [SECOND_GENERATION, "hello", "nodes.0.exact"],
    [SECOND_GENERATION, "number", "nodes.1.literalTemplate"],
    [SECOND_GENERATION, "desk", "nodes.4.destination.message"],
    [DOCUMENTED, "greeting", "nodes.0.systemPrompt"],
  ] as const) {
    const found = changed(document, (graph) => {
      node(graph, id).state_prompt = "Changed.";
    });
    assert.deepEqual(found, [[path, "Changed."]]);
  }
});

test("emit() writes an edited condition in the original form of its edge", () => {
  const edit = (document: unknown, id: string, value: string, index = 0) =>
    changed(document, (graph) => {
      transition(graph, id, index).condition.value = value;
    });
  assert.deepEqual(edit(bikeWorkshop(), "welcome", "new"), [["workflow.edges.0.condition.prompt", "new"]]);
  assert.deepEqual(edit(DOCUMENTED, "greeting", "new"), [["edges.0.condition", "new"]]);
  assert.deepEqual(edit(SECOND_GENERATION, "number", "new"), [
    ["edges.1.condition.matches.0", "new"],
    ["edges.1.condition.matches.1", undefined],
  ]);
});

test("emit() changes only the edited one of several matches", () => {
  const edit = (value: (old: string) => string) =>
    changed(SECOND_GENERATION, (graph) => {
      const { condition } = transition(graph, "number");
      condition.value = value(condition.value);
    });
  assert.deepEqual(
    edit((old) => `${old} (edited)`),
    [["edges.1.condition.matches.1", "number is known (edited)"]],
  );
  assert.deepEqual(
    edit((old) => old.replace("gave", "told")),
    [["edges.1.condition.matches.0", "caller told a number"]],
  );
});

test("emit() writes an edited equation as Liquid in the original braces", () => {
  const found = changed(SECOND_GENERATION, (graph) => {
    transition(graph, "track", 1).condition.equations = [{ left: "place", operator: "==", right: 'the "hub"' }];
  });
  const liquid = "{% if place == 'the \"hub\"' %}true{% else %}false{% endif %}";
  assert.deepEqual(found, [["edges.3.condition.liquid", liquid]]);
});

test("emit() retargets an edge if its extract node gets another target", () => {
  const found = changed(bikeWorkshop(), (graph) => {
    transition(graph, "describe_bike > offer_slot").target_node_id = "tell_state";
  });
  assert.deepEqual(found, [["workflow.edges.3.to", "tell_state"]]);
});

test("emit() writes an edited variable to its original list or schema", () => {
  const inList = changed(bikeWorkshop(), (graph) => {
    const [problem] = node(graph, "describe_bike > offer_slot").variables_to_extract;
    if (problem) problem.description = "What is broken";
  });
  assert.deepEqual(inList, [["workflow.nodes.1.variableExtractionPlan.output.0.description", "What is broken"]]);
  const inSchema = changed(bikeWorkshop(), (graph) => {
    const [ticket] = node(graph, "ask_ticket > look_up_repair").variables_to_extract;
    if (ticket) ticket.type = "number";
  });
  assert.deepEqual(inSchema, [["workflow.nodes.4.variableExtractionPlan.schema.properties.ticket.type", "number"]]);
});

test("emit() keeps other keys and items of a list of variables when one is edited", () => {
  const output = [{ title: "city", type: "string", pattern: "^B" }, "street", null];
  const nodes = [
    { name: "a", type: "conversation", variableExtractionPlan: { output } },
    { name: "b", type: "hangup" },
  ];
  const found = changed({ nodes, edges: [{ from: "a", to: "b" }] }, (graph) => {
    const [city] = node(graph, "a > b").variables_to_extract;
    if (city) city.description = "Which city";
  });
  assert.deepEqual(found, [["nodes.0.variableExtractionPlan.output.0.description", "Which city"]]);
});

test("emit() writes edits of the general prompt, first message, default model and start node", () => {
  const found = changed(bikeWorkshop(), (graph) => {
    graph.source_metadata.general_prompt = "Be brief.";
    graph.source_metadata.begin_message = "Hello!";
    graph.default_model = "anthropic/claude-sonnet-4-6";
    graph.entry_node_id = "ask_ticket";
  });
  assert.deepEqual(found, [
    ["workflow.globalPrompt", "Be brief."],
    ["workflow.model.provider", "anthropic"],
    ["workflow.model.model", "claude-sonnet-4-6"],
    ["workflow.nodes.0.isStart", undefined],
    ["workflow.nodes.4.messagePlan", { firstMessage: "Hello!" }],
    ["workflow.nodes.4.isStart", true],
  ]);
});

test("emit() writes an edited tool and an edited entry condition", () => {
  const found = changed(bikeWorkshop(), (graph) => {
    const [tool] = node(graph, "look_up_repair").tools;
    if (tool) tool.url = "https://example.com/v2";
    const setting = node(graph, "talk_to_mechanic").global_node_setting;
    if (setting) setting.condition = "Caller asks for a mechanic";
  });
  assert.deepEqual(found, [
    ["workflow.nodes.5.tool.url", "https://example.com/v2"],
    ["workflow.nodes.7.globalNodePlan.enterCondition", "Caller asks for a mechanic"],
  ]);
});

test("emit() renames a node in its edges and removes a deleted node", () => {
  const renamed = changed(bikeWorkshop(), (graph) => {
    const idOf = (id: string) => (id === "offer_slot" ? "offer_time" : id);
    graph.nodes = Object.fromEntries(
      Object.values(graph.nodes).map((each) => [idOf(each.id), { ...each, id: idOf(each.id) }]),
    );
    transition(graph, "describe_bike > offer_slot").target_node_id = "offer_time";
  });
  assert.deepEqual(renamed, [
    ["workflow.nodes.3.name", "offer_time"],
    ["workflow.edges.3.to", "offer_time"],
    ["workflow.edges.5.from", "offer_time"],
  ]);
  const graph = imported(SECOND_GENERATION);
  const left = Object.entries(graph.nodes).filter(([id]) => id !== "bye");
  const nodes = Object.fromEntries(
    left.map(([id, each]) => [id, id === "place" ? { ...each, transitions: [] } : each]),
  );
  const before = record(JSON.parse(JSON.stringify(SECOND_GENERATION)));
  const without = (list: unknown, count: number) => (Array.isArray(list) ? list.slice(0, count) : []);
  assert.deepEqual(emitted(saved({ ...graph, nodes })), {
    ...before,
    nodes: without(before.nodes, 5),
    edges: without(before.edges, 4),
  });
});

test("emit() writes a new node in the newest generation's form", () => {
  const graph = JSON.parse(JSON.stringify(imported(SECOND_GENERATION)));
  graph.nodes.sorry = { id: "sorry", node_type: "end", state_prompt: "Sorry.", instruction_type: "static_text" };
  graph.nodes.place.transitions.push({
    target_node_id: "sorry",
    condition: { type: "llm_prompt", value: "Caller is cross" },
  });
  const after = emitted(saved(graph));
  assert.deepEqual(differences(SECOND_GENERATION, after), [
    [
      "nodes.6",
      {
        name: "sorry",
        type: "tool",
        tool: { type: "endCall", messages: [{ type: "request-start", content: "Sorry.", blocking: true }] },
      },
    ],
    ["edges.5", { from: "place", to: "sorry", condition: { type: "ai", prompt: "Caller is cross" } }],
  ]);
  assert.equal(imported(after).nodes.sorry?.node_type, "end");
});

test("emit() writes settings that were changed or added under metadata.vapi", () => {
  const voice = { provider: "vapi", voiceId: "Lily" };
  const found = changed(SECOND_GENERATION, (graph) => {
    graph.source_metadata.vapi = { kind: "workflow", voice };
    node(graph, "hello").metadata.vapi = { type: "say", exact: "", metadata: null, voice };
    const { vapi } = transition(graph, "number").metadata ?? {};
    transition(graph, "number").metadata = { vapi: { ...(vapi ?? {}), weight: 2 } };
  });
  assert.deepEqual(found, [
    ["nodes.0.voice", voice],
    ["edges.1.weight", 2],
    ["voice", voice],
  ]);
});

test("import() keeps a node's settings under their own names, with a blank for the prompt", () => {
  const voice = { provider: "vapi", voiceId: "Elliot" };
  const { nodes, source_metadata: source } = imported({
    nodes: [{ name: "a", type: "conversation", systemPrompt: "Hi.", voice, isStart: true }],
    edges: [],
    voice,
  });
  assert.deepEqual(nodes.a?.metadata, { vapi: { type: "conversation", systemPrompt: "", voice } });
  assert.deepEqual(source.vapi, { kind: "workflow", voice });
});

test("emit() writes nodes in the graph's order", () => {
  const graph = imported(SECOND_GENERATION);
  const nodes = Object.fromEntries(Object.entries(graph.nodes).toReversed());
  const after = record(emitted(saved({ ...graph, nodes })));
  const names = (Array.isArray(after.nodes) ? after.nodes : []).map((each) => record(each).name);
  assert.deepEqual(names, ["bye", "desk", "place", "track", "number", "hello"]);
  assert.equal(imported(after).entry_node_id, "hello");
});

test("emit() reports nodes and tools that workflows do not support", () => {
  const graph: Editable<AgentGraph> = JSON.parse(JSON.stringify(imported(bikeWorkshop())));
  node(graph, "look_up_repair").tools.push({ name: "second", description: "" });
  node(graph, "tell_state").node_type = "logic";
  const { losses } = emit(saved(graph), "vapi-workflow");
  assert.deepEqual(
    losses.map(({ code, kind, path }) => [code, kind, path[1]]),
    [
      ["function-tools", "dropped", "look_up_repair"],
      ["silent-node", "emulated", "tell_state"],
    ],
  );
});

test("emit() reorders a node's edges in a list where edges of several nodes alternate", () => {
  const edge = (from: string, to: string) => ({ from, to, condition: { type: "ai", prompt: `${from} to ${to}` } });
  const [ab, ac, ad] = [edge("a", "b"), edge("a", "c"), edge("a", "d")];
  const [bc, bd] = [edge("b", "c"), edge("b", "d")];
  const nodes = ["a", "b", "c", "d"].map((name) => ({ name, type: "conversation", prompt: name }));
  const edges = (change: (graph: Editable<AgentGraph>) => void) => {
    const graph: Editable<AgentGraph> = JSON.parse(JSON.stringify(imported({ nodes, edges: [ab, bc, ac, bd, ad] })));
    change(graph);
    const after = emitted(saved(graph));
    const targets = (each: AgentGraph) => Object.values(each.nodes).map(({ transitions }) => transitions);
    assert.deepEqual(targets(imported(after)), targets(saved(graph)));
    return after.edges;
  };
  assert.deepEqual(
    edges((graph) => node(graph, "a").transitions.reverse()),
    [ad, bc, ac, bd, ab],
  );
  const moved = edges((graph) => {
    const [first] = node(graph, "a").transitions.splice(0, 1);
    if (first) node(graph, "b").transitions.splice(1, 0, first);
  });
  assert.ok(Array.isArray(moved));
  assert.deepEqual(new Set(moved), new Set([ac, ad, bc, bd, { ...ab, from: "b" }]));
});

test("emit() keeps a renamed variable's other keys, in a list and in a schema", () => {
  const start = { name: "a", type: "conversation", prompt: "Ask.", isStart: true };
  const size = { type: "string", description: "Shoe size", unknown: 1 };
  const forms = [
    {
      output: [
        { title: "size", ...size },
        { title: "colour", type: "string", description: "Colour", unknown: 2 },
      ],
    },
    { schema: { type: "object", properties: { size, colour: { type: "string", description: "Colour", unknown: 2 } } } },
  ];
  for (const plan of forms) {
    const document = { nodes: [{ ...start, variableExtractionPlan: plan }], edges: [] };
    const graph: Editable<AgentGraph> = JSON.parse(JSON.stringify(imported(document)));
    const [first] = node(graph, "a").variables_to_extract;
    if (first) first.name = "shoe_size";
    const text = JSON.stringify(document).replace('"size"', '"shoe_size"');
    assert.deepEqual(emitted(saved(graph)), JSON.parse(text));
  }
});

test("emit() reports what an edited workflow cannot hold", () => {
  const graph: Editable<AgentGraph> = JSON.parse(
    JSON.stringify(
      imported({
        nodes: [
          { name: "a", type: "conversation", prompt: "Ask.", isStart: true },
          { name: "b", type: "conversation", prompt: "Tell." },
          { name: "end", type: "tool", tool: { type: "endCall" } },
        ],
        edges: [
          { from: "a", to: "b" },
          { from: "b", to: "end", condition: { type: "ai", prompt: "Done" } },
        ],
      }),
    ),
  );
  graph.source_metadata.start_speaker = "user";
  const condition = { type: "llm_prompt" as const, value: "Caller is ready" };
  const [ready, ...others] = [...node(graph, "a").transitions, ...node(graph, "b").transitions];
  if (ready) ready.timing = "skip_response";
  for (const each of others) each.description = "Done";
  node(graph, "b").global_node_setting = { condition: "Caller asks", go_back_conditions: [{ id: "back", condition }] };
  node(graph, "end").state_prompt = "Say goodbye.";
  assert.deepEqual(
    emit(saved(graph), "vapi-workflow").losses.map(({ code, kind, path }) => [code, kind, path.join(".")]),
    [
      ["start-speaker", "dropped", "source_metadata.start_speaker"],
      ["timing", "emulated", "nodes.a.transitions.0"],
      ["go-back", "dropped", "nodes.b.global_node_setting.go_back_conditions"],
      ["transition-description", "dropped", "nodes.b.transitions.0"],
      ["prompt-spoken", "emulated", "nodes.end"],
    ],
  );
});
