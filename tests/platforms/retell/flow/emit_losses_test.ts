import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { emitFlow, emitRetell } from "../../../../platforms/retell/flow/emit.ts";
import { importRetell } from "../../../../platforms/retell/flow/import.ts";
import { getAt } from "../../../../src/base/values/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";

const always = (timing?: string) => ({
  target_node_id: "end",
  condition: { type: "always" },
  ...(timing ? { timing } : {}),
});

function lossesOf(node: object, more: object = {}): unknown[] {
  const nodes = { start: { node_type: "conversation", state_prompt: "Hi", ...node }, end: { node_type: "end" } };
  const { losses } = emitFlow(parseGraph({ nodes, entry_node_id: "start", ...more }));
  return losses.map(({ code, kind, path }) => [code, kind, path.join(".")]);
}

test("emit() replaces snippets by their text, and reports it", () => {
  const graph = parseGraph({
    nodes: { a: { node_type: "conversation", state_prompt: "Say {%hours%} and {%none%}." } },
    entry_node_id: "a",
    snippets: { hours: "nine to five", spare: "not used" },
  });
  const { config, losses } = emitFlow(graph);
  assert.deepEqual(
    losses.map(({ code, path }) => [code, path.join(".")]),
    [
      ["snippet", "snippets.hours"],
      ["snippet-unused", "snippets.spare"],
    ],
  );
  assert.match(JSON.stringify(config.nodes), /Say nine to five and \{%none%\}\./);
});

test("emit() writes a begin message as a new first node with the transitions of the entry node", () => {
  const graph = parseGraph({
    nodes: {
      a: {
        node_type: "conversation",
        state_prompt: "Help.",
        transitions: [{ target_node_id: "b", condition: { type: "llm_prompt", value: "Done" } }],
      },
      b: { node_type: "end" },
    },
    entry_node_id: "a",
    source_metadata: { begin_message: "Hello." },
  });
  const { config, losses } = emitFlow(graph);
  assert.deepEqual(
    losses.map(({ code, kind }) => [code, kind]),
    [["begin-message", "emulated"]],
  );
  const front = importRetell(JSON.parse(JSON.stringify(config))).nodes.begin_message;
  assert.deepEqual([front?.state_prompt, front?.instruction_type], ["Hello.", "static_text"]);
  assert.deepEqual(
    front?.transitions.map(({ target_node_id: to, timing }) => [to, timing]),
    [
      ["b", undefined],
      ["a", "else"],
    ],
  );
});

test("emit() reports transitions without an edge type", () => {
  assert.deepEqual(lossesOf({ transitions: [always("else"), always("else")] }), [
    ["edge-taken", "dropped", "nodes.start.transitions.1"],
  ]);
  assert.deepEqual(lossesOf({ node_type: "transfer", transitions: [always()] }), [
    ["no-edge", "dropped", "nodes.start.transitions.0"],
  ]);
  const called = { target_node_id: "end", condition: { type: "tool_call", value: "book", outcome: "failed" } };
  assert.deepEqual(lossesOf({ transitions: [called] }), [["tool-condition", "emulated", "nodes.start.transitions.0"]]);
  assert.deepEqual(lossesOf({ transitions: [{ ...always(), description: "why" }] }), [
    ["transition-description", "dropped", "nodes.start.transitions.0"],
  ]);
});

test("emit() removes equations that Retell does not support, and reports it", () => {
  const equations = [
    { left: "a", operator: "~", right: "1" },
    { left: "b", operator: "==", right: "2" },
  ];
  const edge = (operator: string) => ({
    target_node_id: "end",
    condition: { type: "equation", equations, logical_operator: operator },
  });
  const graph = parseGraph({
    nodes: { start: { node_type: "logic", transitions: [edge("and"), edge("or")] }, end: { node_type: "end" } },
    entry_node_id: "start",
  });
  const { config, losses } = emitFlow(graph);
  assert.deepEqual(
    losses.map(({ code, path }) => [code, path.join(".")]),
    [
      ["operator", "nodes.start.transitions.0"],
      ["operator", "nodes.start.transitions.1"],
    ],
  );
  const [kept] = importRetell(JSON.parse(JSON.stringify(config))).nodes.start?.transitions ?? [];
  assert.deepEqual(kept?.condition.equations, [{ left: "b", operator: "==", right: "2" }]);
});

test("emit() reports parts of a node that Retell does not support", () => {
  const tool = { name: "book", type: "custom", url: "https://example.test" };
  assert.deepEqual(lossesOf({ node_type: "logic" }), [["node-prompt", "dropped", "nodes.start.state_prompt"]]);
  assert.deepEqual(lossesOf({ node_type: "function", tools: [tool, { ...tool, name: "b" }] }), [
    ["function-tools", "dropped", "nodes.start.tools"],
  ]);
  assert.deepEqual(lossesOf({ node_type: "function" }), [["function-without-tool", "dropped", "nodes.start"]]);
  const code = { retell: { type: "code", code: "return 1;" } };
  assert.deepEqual(lossesOf({ node_type: "function", metadata: code }), [
    ["function-without-tool", "dropped", "nodes.start"],
  ]);
  assert.deepEqual(lossesOf({ tools: [{ ...tool, url: undefined }] }), [
    ["tool-url", "dropped", "nodes.start.tools.0"],
  ]);
  assert.deepEqual(lossesOf({ tools: [tool], instruction_type: "static_text" }), [
    ["static-text", "emulated", "nodes.start.instruction_type"],
  ]);
  assert.deepEqual(lossesOf({ variables_to_extract: [{ name: "x" }] }), [
    ["extract-behind", "emulated", "nodes.start.variables_to_extract"],
  ]);
  assert.deepEqual(lossesOf({ node_type: "logic", state_prompt: "", variables_to_extract: [{ name: "x" }] }), [
    ["variables", "dropped", "nodes.start.variables_to_extract"],
  ]);
});

test("emit() reports lost settings of another platform, of imported graphs and of flows in code", () => {
  const more = { source_metadata: { vapi: { silenceTimeoutSeconds: 30 } } };
  const node = { metadata: { vapi: { voice: {} } } };
  for (const source_type of ["vapi-squad", "custom"])
    assert.deepEqual(lossesOf(node, { ...more, source_type }), [
      ["foreign-settings", "dropped", "source_metadata.vapi"],
      ["foreign-settings", "dropped", "nodes.start.metadata.vapi"],
    ]);
});

test("emit() writes the retell option of the flow, its agent and its nodes", () => {
  const graph = parseGraph({
    nodes: {
      a: {
        node_type: "transfer",
        metadata: { retell: { transfer_destination: { type: "predefined", number: "+15550100" } } },
      },
      b: { node_type: "conversation", metadata: { retell: { type: "press_digit", delay_ms: 300, name: "Menu" } } },
    },
    entry_node_id: "b",
    source_metadata: { retell: { model_temperature: 0.3, agent: { voice_id: "own-voice" } } },
  });
  const document = JSON.parse(JSON.stringify(emitRetell(graph).config));
  assert.equal(document.voice_id, "own-voice");
  assert.equal(document.conversationFlow.model_temperature, 0.3);
  assert.equal(document.conversationFlow.nodes[0].transfer_destination.number, "+15550100");
  assert.deepEqual(
    [
      document.conversationFlow.nodes[1].type,
      document.conversationFlow.nodes[1].delay_ms,
      document.conversationFlow.nodes[1].name,
    ],
    ["press_digit", 300, "Menu"],
  );
});

test("emit() writes required keys and literals, and a layout without overlaps", () => {
  const graph = parseGraph({
    nodes: {
      a: { node_type: "conversation", transitions: [always("skip_response")] },
      split: { node_type: "logic" },
      desk: { node_type: "transfer" },
      end: { node_type: "end" },
    },
    entry_node_id: "a",
  });
  const { config } = emitFlow(graph);
  const prompts = [...JSON.stringify(config.nodes).matchAll(/"prompt":"([^"]+)"/g)].map(([, text]) => text);
  assert.deepEqual(prompts, ["Skip response", "Else", "Transfer failed"]);
  const places = config.nodes.map((node) => JSON.stringify(node.display_position));
  assert.equal(new Set(places).size, config.nodes.length);
  assert.deepEqual([config.start_speaker, config.model_choice.model, config.start_node_id], ["agent", "gpt-4.1", "a"]);
});

test("emit() converts variables to the nearest type of Retell, and reports it", () => {
  const variable = (name: string, type: string, choices?: string[]) => ({ name, type, description: "", choices });
  const variables_to_extract = [
    variable("guests", "integer"),
    variable("dishes", "array"),
    variable("size", "enum", []),
    variable("colour", "enum", ["red"]),
    variable("price", "number"),
  ];
  const graph = parseGraph({ nodes: { a: { node_type: "extract", variables_to_extract } }, entry_node_id: "a" });
  const { config, losses } = emitFlow(graph);
  const [node] = config.nodes;
  assert.ok(node?.type === "extract_dynamic_variables");
  assert.deepEqual(
    node.variables.map(({ type }) => type),
    ["number", "string", "string", "enum", "number"],
  );
  assert.deepEqual(
    losses.filter(({ code }) => code === "variable-type").map(({ path }) => path[3]),
    [0, 1, 2],
  );
});

test("emit() removes go-back conditions with unsupported operators, and reports it", () => {
  const back = (id: string, operators: readonly string[], logical_operator: string) => ({
    id,
    condition: {
      type: "equation",
      equations: operators.map((operator) => ({ left: "v", operator, right: "x" })),
      logical_operator,
    },
  });
  const backs = [back("or", ["~", "=="], "or"), back("and", ["~", "=="], "and"), back("fine", ["!="], "and")];
  const node = {
    node_type: "conversation",
    state_prompt: "Hi",
    global_node_setting: { condition: "Anybody asks", go_back_conditions: backs },
  };
  const { config, losses } = emitFlow(parseGraph({ nodes: { a: node }, entry_node_id: "a" }));
  const at = "nodes.a.global_node_setting.go_back_conditions";
  assert.deepEqual(
    losses.map(({ code, path }) => [code, path.join(".")]),
    [
      ["operator", `${at}.0`],
      ["operator", `${at}.1`],
    ],
  );
  const written = config.nodes[0]?.global_node_setting?.go_back_conditions?.map(
    ({ id, transition_condition: said }) => [
      id,
      "equations" in said ? said.equations.map(({ operator }) => operator) : [],
    ],
  );
  assert.deepEqual(written, [
    ["or", ["=="]],
    ["fine", ["!="]],
  ]);
});

test("emit() reports each setting of a Vapi assistant that Retell does not support", () => {
  const assistant = {
    name: "desk",
    firstMessage: "Hello",
    voice: { provider: "11labs", voiceId: "x" },
    hipaaEnabled: true,
    maxDurationSeconds: 600,
    endCallMessage: "Goodbye",
    model: { provider: "openai", model: "gpt-4.1", temperature: 0.2, messages: [{ role: "system", content: "Help." }] },
  };
  const { graph } = importAgent(assistant);
  for (const format of ["retell", "retell-llm"]) {
    const { losses } = emit(graph, format);
    assert.deepEqual(
      losses.filter(({ code }) => code === "foreign-settings").map(({ path, message }) => [path.join("."), message]),
      [
        [
          "nodes.desk.metadata.vapi",
          "Retell does not support settings of another platform: voice, hipaaEnabled, maxDurationSeconds, endCallMessage, model.temperature",
        ],
      ],
    );
  }
});

test("emit() expands snippets in descriptions of tools, which counts as a use", () => {
  const tool = { name: "look_up", description: "Looks up {%what%}", url: "https://a.test" };
  const graph = parseGraph({ nodes: { a: { tools: [tool] } }, entry_node_id: "a", snippets: { what: "an order" } });
  const { config, losses } = emitFlow(graph);
  assert.match(JSON.stringify(config), /Looks up an order/);
  assert.deepEqual(
    losses.map(({ code }) => code),
    ["snippet"],
  );
});

test("emit() drops a default model that Retell does not support, and reports it", () => {
  const lost = [["unknown-model", "dropped", "default_model"]];
  const chosen = (default_model: string, more: object = {}) => {
    const nodes = { start: { node_type: "conversation", state_prompt: "Hi" } };
    const { config, losses } = emit(parseGraph({ nodes, entry_node_id: "start", default_model, ...more }), "retell");
    return [
      getAt(config, ["conversationFlow", "model_choice"]),
      losses.map(({ code, kind, path }) => [code, kind, path.join(".")]),
    ];
  };
  const fallback = { type: "cascading", model: "gpt-4.1" };
  assert.deepEqual(chosen("mistral/mistral-large"), [fallback, lost]);
  assert.deepEqual(chosen("openai/gpt-5.1"), [{ type: "cascading", model: "gpt-5.1" }, []]);
  const own = { type: "cascading", model: "model-of-tomorrow" };
  assert.deepEqual(chosen("mistral/mistral-large", { source_metadata: { retell: { model_choice: own } } }), [
    own,
    lost,
  ]);
});

test("emit() keeps a model of an imported document that Retell does not list", () => {
  const model = "gpt-of-tomorrow";
  const nodes = [{ id: "a", type: "conversation", instruction: { type: "prompt", text: "Hi" }, edges: [] }];
  const flow = { start_speaker: "agent", model_choice: { type: "cascading", model }, start_node_id: "a", nodes };
  const flowEmitted = emit(importAgent(flow, { format: "retell" }).graph, "retell");
  assert.deepEqual([flowEmitted.config, flowEmitted.losses], [flow, []]);

  const { graph } = importAgent({ general_prompt: "Hi", model }, { format: "retell-llm" });
  const crossed = emit(graph, "retell");
  assert.match(JSON.stringify(crossed.config), /"model":"gpt-of-tomorrow"/);
  assert.deepEqual(
    crossed.losses.filter(({ code }) => code === "unknown-model").map(({ kind, instead }) => [kind, instead]),
    [["emulated", "the name as it is"]],
  );
});

test("emit() names settings of the retell option that the flow itself overrides, and no others", () => {
  const own = {
    ...{ id: "other", edges: [], instruction: { type: "prompt", text: "Not this." } },
    ...{ interruption_sensitivity: 0.4, display_position: { x: 1, y: 2 } },
  };
  const edge = {
    id: "edge-1",
    destination_node_id: "start",
    transition_condition: { type: "prompt", prompt: "Never" },
  };
  const transitions = [{ ...always(), condition: { type: "llm_prompt", value: "Yes" }, metadata: { retell: edge } }];
  const flow = {
    global_prompt: "Not this.",
    start_node_id: "end",
    kb_config: { top_k: 3 },
    begin_after_user_silence_ms: 9,
  };
  const metadata = { source_metadata: { general_prompt: "This.", retell: flow } };
  const found = lossesOf({ transitions, metadata: { retell: own } }, metadata);
  assert.deepEqual(
    found,
    [
      ...["global_prompt", "start_node_id"].map((key) => `source_metadata.retell.${key}`),
      ...["id", "edges", "instruction"].map((key) => `nodes.start.metadata.retell.${key}`),
      ...["destination_node_id", "transition_condition"].map(
        (key) => `nodes.start.transitions.0.metadata.retell.${key}`,
      ),
    ].map((path) => ["setting-ignored", "dropped", path]),
  );
});
