import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { retellLlm } from "../../../../platforms/retell/llm/mod.ts";
import { isRecord, type JsonObject } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";

const llm = (value: string) => ({ type: "llm_prompt", value });
const to = (target_node_id: string, condition: object, more: object = {}) => ({ target_node_id, condition, ...more });

/** Emits a graph from code; returns the LLM, the losses and their codes. */
function emitted(nodes: object, more: object = {}) {
  const graph = parseGraph({ entry_node_id: Object.keys(nodes)[0], nodes, ...more });
  const { config, losses } = emit(graph, "retell-llm");
  const agent = isRecord(config) ? config : {};
  const body = isRecord(agent.retellLlmData) ? agent.retellLlmData : {};
  return { agent, body, losses, codes: losses.map(({ code, kind }) => `${code} ${kind}`) };
}

const state = (body: JsonObject, index: number): JsonObject => {
  const states: unknown[] = Array.isArray(body.states) ? body.states : [];
  const found = states[index];
  return isRecord(found) ? found : {};
};

test("emit() writes a silent node of a type that it does not know like a logic node", () => {
  const graph = parseGraph({
    entry_node_id: "greet",
    nodes: { greet: { state_prompt: "Greet.", transitions: [to("pass", llm("Done"))] }, pass: { node_type: "logic" } },
  });
  const known = retellLlm.emitGraph?.(graph);
  const pass = { ...graph.nodes.pass, node_type: "pause" };
  assert.deepEqual(
    retellLlm.emitGraph?.({ ...graph, nodes: { ...graph.nodes, pass } } as unknown as AgentGraph),
    known,
  ); // no type yet
  assert.ok(known?.losses.some(({ code }) => code === "logic-as-state"));
});

test("emit() writes a graph from code as an agent that the dashboard can import", () => {
  const { agent, body, codes } = emitted(
    { greet: { state_prompt: "Greet.", transitions: [to("bye", llm("Done"))] }, bye: { node_type: "end" } },
    { source_metadata: { general_prompt: "Be kind." }, default_model: "openai/gpt-4.1" },
  );
  assert.deepEqual(agent.response_engine, { type: "retell-llm", version: 0, llm_id: "" });
  assert.equal(typeof agent.voice_id, "string");
  assert.deepEqual(body, {
    model: "gpt-4.1",
    general_prompt: "Be kind.",
    start_speaker: "agent",
    states: [
      { name: "greet", state_prompt: "Greet.", tools: [{ description: "Done", name: "bye", type: "end_call" }] },
    ],
    starting_state: "greet",
  });
  assert.deepEqual(codes, []);
});

test("emit() reports tools and variables of an end", () => {
  const tools = [{ name: "note", type: "custom", url: "https://example.test" }];
  const variables_to_extract = [{ name: "mood", type: "string" }];
  const { codes } = emitted({
    greet: { state_prompt: "Greet.", transitions: [to("bye", llm("Done"))] },
    bye: { node_type: "end", tools, variables_to_extract },
  });
  assert.deepEqual(codes, ["tools-dropped dropped", "tools-dropped dropped"]);
});

test("emit() writes a transfer's destination, and reports a missing one", () => {
  const transfer_destination = { type: "predefined", number: "+15550100" };
  const nodes = (metadata: object) => ({
    a: { state_prompt: "A", transitions: [to("desk", llm("Human"))] },
    desk: { node_type: "transfer", state_prompt: "Hold on.", metadata },
  });
  const { body, codes } = emitted(nodes({ retell: { transfer_destination } }));
  assert.deepEqual(state(body, 0).tools, [
    {
      description: "Human",
      speak_during_execution: true,
      execution_message_description: "Hold on.",
      transfer_destination,
      transfer_option: { type: "cold_transfer", show_transferee_as_caller: false },
      name: "desk",
      type: "transfer_call",
    },
  ]);
  assert.deepEqual(codes, []);
  assert.deepEqual(emitted(nodes({})).codes, ["destination-missing dropped"]);
  const elsewhere = emitted(nodes({ vapi: { destinations: [{ type: "number", number: "+15550111" }] } }));
  assert.match(JSON.stringify(state(elsewhere.body, 0).tools), /\+15550111/);
});

test("emit() writes logic nodes as silent states with their equations in words", () => {
  const equation = { type: "equation", equations: [{ left: "age", operator: ">=", right: 18 }] };
  const { body, codes, losses } = emitted({
    ask: { state_prompt: "Ask.", transitions: [to("check", llm("Age is known"))] },
    check: { node_type: "logic", transitions: [to("adult", equation), to("ask", { type: "always" })] },
    adult: { state_prompt: "Go on." },
  });
  const check = state(body, 1);
  assert.match(String(check.state_prompt), /^Say nothing to the caller/);
  assert.deepEqual(check.edges, [
    { destination_state_name: "adult", description: '{{age}} is at least "18"' },
    { destination_state_name: "ask", description: "Otherwise, at once" },
  ]);
  assert.deepEqual(codes.sort(), ["equation-as-prompt emulated", "logic-as-state emulated"]);
  assert.equal(losses.find(({ code }) => code === "equation-as-prompt")?.instead, '"{{age}} is at least "18""');
});

test("emit() writes an extract node between two states as parameters of the edge", () => {
  const variables_to_extract = [
    { name: "day", description: "Which day", type: "string" },
    { name: "size", type: "enum", choices: ["small", "large"] },
  ];
  const { body, codes } = emitted({
    ask: { state_prompt: "Ask.", transitions: [to("fill", llm("Both are known"))] },
    fill: { node_type: "extract", variables_to_extract, transitions: [to("book", { type: "always" })] },
    book: { state_prompt: "Book." },
  });
  const properties = {
    day: { type: "string", description: "Which day" },
    size: { type: "string", enum: ["small", "large"] },
  };
  assert.deepEqual(state(body, 0).edges, [
    { destination_state_name: "book", description: "Both are known", parameters: { type: "object", properties } },
  ]);
  assert.equal(state(body, 1).name, "book");
  assert.deepEqual(codes, ["extract-as-parameters emulated"]);
});

test("emit() writes any other extract node as a silent state with a tool that extracts", () => {
  const exists = { type: "equation", equations: [{ left: "day", operator: "exists" }] };
  const { body, codes } = emitted({
    ask: { state_prompt: "Ask.", transitions: [to("fill", llm("Known"))] },
    fill: {
      node_type: "extract",
      variables_to_extract: [{ name: "day", description: "Which day", type: "string" }],
      transitions: [to("book", exists), to("ask", { type: "always" })],
    },
    book: { state_prompt: "Book." },
  });
  assert.deepEqual(state(body, 1).tools, [
    {
      type: "extract_dynamic_variable",
      name: "extract_fill",
      description: "Record what the caller has said",
      variables: [{ name: "day", description: "Which day", type: "string" }],
    },
  ]);
  assert.deepEqual(codes.sort(), ["equation-as-prompt emulated", "extract-as-state emulated"]);
});

test("emit() writes function nodes as silent states with their tool and its message", () => {
  const tool = { name: "look_up", type: "custom", url: "https://example.com" };
  const { body, codes } = emitted({
    ask: { state_prompt: "Ask.", transitions: [to("find", llm("Known"))] },
    find: {
      node_type: "function",
      state_prompt: "One moment.",
      tools: [tool],
      metadata: { retell: { speak_during_execution: true } },
      transitions: [to("ask", { type: "tool_call", outcome: "failed" })],
    },
  });
  const [found]: unknown[] = Array.isArray(state(body, 1).tools) ? [...Object.values(state(body, 1).tools ?? {})] : [];
  assert.deepEqual(found, {
    ...tool,
    speak_during_execution: true,
    execution_message_description: "One moment.",
  });
  assert.match(String(state(body, 1).state_prompt), /Call look_up at once/);
  assert.deepEqual(codes.sort(), ["function-as-state emulated", "outcome-as-prompt emulated"]);
});

test("emit() merges transitions to the same state into one edge", () => {
  const { body, codes } = emitted({
    a: { state_prompt: "A", transitions: [to("b", llm("One")), to("b", llm("Two"))] },
    b: { state_prompt: "B" },
  });
  assert.deepEqual(state(body, 0).edges, [{ destination_state_name: "b", description: "One, or: Two" }]);
  assert.deepEqual(codes, ["edges-merged emulated"]);
});

test("emit() writes global states as edges from all other states, and go-backs as edges to them", () => {
  const back = [{ id: "back", condition: llm("Calm again") }];
  const { body, losses } = emitted({
    a: { state_prompt: "A" },
    help: { state_prompt: "H", global_node_setting: { condition: "Upset", go_back_conditions: back } },
  });
  assert.deepEqual(state(body, 0).edges, [{ destination_state_name: "help", description: "Upset" }]);
  assert.deepEqual(state(body, 1).edges, [
    { destination_state_name: "a", description: "Calm again, and the conversation was at a before" },
  ]);
  const setting = ["nodes", "help", "global_node_setting"];
  assert.deepEqual(
    losses.map(({ code, path, instead }) => [code, path, instead]),
    [
      ["global-as-edges", setting, "an edge from every state"],
      ["go-back-as-edges", [...setting, "go_back_conditions", 0], "an edge to every state"],
    ],
  );
});

for (const [what, node, expected] of [
  ["static text", { state_prompt: "Hi.", instruction_type: "static_text" }, "static-text-as-prompt emulated"],
  ["edges that always fire", { transitions: [to("a", { type: "always" })] }, "always-as-prompt emulated"],
  ["snippets", { state_prompt: "{%hi%}" }, "snippet-inlined emulated"],
  ["tools without a URL", { tools: [{ name: "t", type: "custom" }] }, "tool-url-missing emulated"],
  ["tools of no known kind", { tools: [{ name: "t", type: "odd", url: "u" }] }, "tool-kind emulated"],
  ["settings of a flow's node", { metadata: { retell: { voice_speed: 2 } } }, "node-settings dropped"],
  ["settings of other platforms", { metadata: { vapi: { voice: {} } } }, "foreign-settings dropped"],
  ["variables of a conversation", { variables_to_extract: [{ name: "v" }] }, "extract-with-state emulated"],
] as const)
  test(`emit() reports losses of ${what}`, () => {
    const snippets = JSON.stringify(node).includes("{%hi%}") ? { hi: "Hello" } : {};
    assert.deepEqual(emitted({ a: { ...node } }, { snippets }).codes, [expected]);
  });

test("emit() gives states unique names that Retell accepts", () => {
  const { body, codes } = emitted({
    "say hello!": { transitions: [to("say_hello", llm("Next"))] },
    say_hello: {},
    [`${"long".repeat(20)}`]: {},
  });
  const names = [0, 1, 2].map((index) => String(state(body, index).name));
  assert.deepEqual(names.slice(0, 2), ["say_hello-2", "say_hello"]);
  assert.equal(names[2]?.length, 64);
  assert.deepEqual(codes, ["name-changed emulated", "name-changed emulated"]);
});

test("emit() writes variables as text, and an end at the start as a state", () => {
  const source_metadata = { default_dynamic_variables: { n: 3, s: "x" } };
  const { body, codes } = emitted({ bye: { node_type: "end", state_prompt: "Bye." } }, { source_metadata });
  assert.deepEqual(body.default_dynamic_variables, { n: "3", s: "x" });
  assert.equal(body.starting_state, "bye");
  assert.deepEqual(codes.sort(), ["entry-as-state emulated", "variable-as-text emulated"]);
});

test("emit() writes either a model or a speech-to-speech model, and reports the omitted one", () => {
  const nodes = { greet: { state_prompt: "Greet." } };
  const source_metadata = { retell: { s2s_model: "gpt-realtime" } };
  const { body, codes } = emitted(nodes, { source_metadata, default_model: "openai/gpt-4.1" });
  assert.deepEqual([body.model ?? null, body.s2s_model], [null, "gpt-realtime"]);
  assert.deepEqual(codes, ["model-beside-s2s dropped"]);

  const speech = { general_prompt: "Be kind.", s2s_model: "gpt-realtime", model: null };
  const { graph } = importAgent(speech, { format: "retell-llm" });
  assert.deepEqual(emit(graph, "retell-llm").config, speech);
  const edited = emit({ ...graph, default_model: "gpt-4.1" }, "retell-llm").config;
  assert.deepEqual(edited, { ...speech, s2s_model: null, model: "gpt-4.1" });

  const both = { ...speech, model: "gpt-4.1" };
  assert.deepEqual(emit(importAgent(both, { format: "retell-llm" }).graph, "retell-llm").config, both);
});

test("emit() drops a default model that Retell does not support, and reports it", () => {
  const nodes = { greet: { state_prompt: "Greet." } };
  const { body, codes } = emitted(nodes, { default_model: "mistral/mistral-large" });
  assert.equal(Object.hasOwn(body, "model"), false);
  assert.deepEqual(codes, ["unknown-model dropped"]);

  const source_metadata = { retell: { s2s_model: "gpt-realtime" } };
  const speech = emitted(nodes, { source_metadata, default_model: "mistral/mistral-large" });
  assert.deepEqual([speech.body.s2s_model, speech.codes], ["gpt-realtime", ["unknown-model dropped"]]);

  const document = { general_prompt: "Be kind.", model: "gpt-of-tomorrow" };
  const kept = emit(importAgent(document, { format: "retell-llm" }).graph, "retell-llm");
  assert.deepEqual([kept.config, kept.losses], [document, []]);
});

test("emit() omits a speech-to-speech model from a conversation flow, and reports it", () => {
  const graph = parseGraph({
    nodes: { greet: { state_prompt: "Greet." } },
    entry_node_id: "greet",
    source_metadata: { retell: { s2s_model: "gpt-realtime" } },
  });
  const { config, losses } = emit(graph, "retell");
  assert.doesNotMatch(JSON.stringify(config), /s2s_model/);
  assert.deepEqual(
    losses.map(({ code }) => code),
    ["s2s-model"],
  );
});

test("emit() expands snippets in conditions and descriptions of tools, too", () => {
  const { body, codes } = emitted(
    {
      ask: {
        tools: [{ name: "look_up", description: "Looks up {%what%}", url: "https://a.test" }],
        transitions: [to("help", llm("Caller asks for {%what%}"))],
      },
      help: {},
    },
    { snippets: { what: "an order" } },
  );
  assert.doesNotMatch(JSON.stringify(body), /\{%/);
  assert.match(JSON.stringify(body), /Caller asks for an order.*Looks up an order/);
  assert.ok(codes.includes("snippet-inlined emulated"));
});
