import assert from "node:assert/strict";
import { test } from "node:test";
import { boolean, flow, number, text, tool } from "../../dsl/mod.ts";
import { checkGraph } from "../../src/agent/analysis/mod.ts";
import { isCallweaveError } from "../../src/base/errors.ts";
import { definitionOf, parseGraph } from "../../src/document/graph/mod.ts";
import { clinic } from "./clinic.ts";

const plain = { tools: [], transitions: [], variables_to_extract: [], metadata: {} };

test("compile() returns the document", () => {
  const intent = { name: "intent", description: "Why the caller calls", type: "enum", choices: ["book", "cancel"] };
  assert.deepEqual(clinic, {
    nodes: {
      greet: {
        ...plain,
        id: "greet",
        node_type: "conversation",
        state_prompt: "Greet {{caller_name}} and ask how you can help.",
        transitions: [{ target_node_id: "ask", condition: { type: "llm_prompt", value: "Caller gives a reason" } }],
      },
      ask: {
        ...plain,
        id: "ask",
        node_type: "extract",
        state_prompt: "",
        variables_to_extract: [intent],
        transitions: [
          {
            target_node_id: "book",
            condition: {
              type: "equation",
              value: "",
              equations: [{ left: "intent", operator: "==", right: "book" }],
            },
          },
          { target_node_id: "bye", condition: { type: "always", value: "" } },
        ],
      },
      book: {
        ...plain,
        id: "book",
        node_type: "conversation",
        state_prompt: "Book an appointment.",
        transitions: [{ target_node_id: "bye", condition: { type: "llm_prompt", value: "Booked" } }],
      },
      manager: {
        ...plain,
        id: "manager",
        node_type: "conversation",
        state_prompt: "Take a message for the manager.",
        global_node_setting: {
          condition: "Caller asks for a manager",
          go_back_conditions: [
            { id: "back_0", condition: { type: "llm_prompt", value: "Caller is ready to continue" } },
          ],
        },
      },
      bye: { ...plain, id: "bye", node_type: "end", state_prompt: "Say goodbye." },
    },
    entry_node_id: "greet",
    source_type: "custom",
    source_metadata: { name: "clinic", general_prompt: "You answer the phone of a small clinic." },
    snippets: {},
  });
});

test("compile() returns a graph that parseGraph() keeps and checkGraph() accepts", () => {
  assert.deepEqual(parseGraph(JSON.parse(JSON.stringify(clinic))), clinic);
  assert.deepEqual(checkGraph(clinic), []);
});

test("compile() writes every kind of transition", () => {
  const graph = flow("kinds", { variables: { age: number("Age"), vip: boolean("Known"), other: number("Other") } })
    .conversation("talk", {
      text: "Hello",
      next: ({ to, when, otherwise }) => [
        to("end", "Caller is done", { description: "Ends the call", retell: { id: "edge-1" } }),
        to("end", when("age", ">=", 18).and("vip", "==", true)),
        to("end", when("age", "<", { variable: "other" }).or(when("vip", "exists"))),
        to("end", { timing: "skip_response" }),
        otherwise("route"),
      ],
    })
    .logic("route", { next: ({ otherwise }) => [otherwise("hand")] })
    .transfer("hand", { next: ({ to }) => [to("talk", { outcome: "failed" })] })
    .end("end", {})
    .compile();

  const equation = (equations: readonly object[], logic: string) => ({
    target_node_id: "end",
    condition: { type: "equation", value: "", equations, logical_operator: logic },
  });
  assert.equal(graph.nodes.talk?.instruction_type, "static_text");
  assert.deepEqual(graph.nodes.talk?.transitions, [
    {
      target_node_id: "end",
      condition: { type: "llm_prompt", value: "Caller is done" },
      description: "Ends the call",
      metadata: { retell: { id: "edge-1" } },
    },
    equation(
      [
        { left: "age", operator: ">=", right: 18 },
        { left: "vip", operator: "==", right: true },
      ],
      "and",
    ),
    equation(
      [
        { left: "age", operator: "<", right: "{{other}}" },
        { left: "vip", operator: "exists" },
      ],
      "or",
    ),
    { target_node_id: "end", condition: { type: "always", value: "" }, timing: "skip_response" },
    { target_node_id: "route", condition: { type: "always", value: "" }, timing: "else" },
  ]);
  const always = { target_node_id: "hand", condition: { type: "always", value: "" } };
  assert.deepEqual(graph.nodes.route?.transitions, [always]);
  const failed = { target_node_id: "talk", condition: { type: "tool_call", value: "", outcome: "failed" } };
  assert.deepEqual(graph.nodes.hand?.transitions, [failed]);
});

test("nodes() gives the same document as a call per node", () => {
  const variables = { name: text("Name", { default: "you" }) };
  const find = tool({ name: "find", description: "Finds", responseVariables: { found: "$.found" } });
  const chain = flow("x", { variables, tools: [find] })
    .function("look", { tool: "find", next: ({ to }) => [to("tell", { outcome: "succeeded" }), to("bye")] })
    .conversation("tell", { prompt: "Tell {{name}} {{found}}", tools: ["find"], next: ({ to }) => [to("bye")] })
    .global("help", { when: "Help", goBack: ({ when }) => ["Done", when("found", "exists")], prompt: "Help" })
    .end("bye", {})
    .compile();
  const list = flow("x", { variables, tools: [find] })
    .nodes((kit) => [
      kit.function("look", { tool: "find", next: ({ to }) => [to("tell", { outcome: "succeeded" }), to("bye")] }),
      kit.conversation("tell", { prompt: "Tell {{name}} {{found}}", tools: ["find"], next: ({ to }) => [to("bye")] }),
    ])
    .nodes((kit) => [
      kit.global("help", { when: "Help", goBack: ({ when }) => ["Done", when("found", "exists")], prompt: "Help" }),
      kit.end("bye", {}),
    ])
    .compile();

  assert.deepEqual(list, chain);
  assert.deepEqual(chain.source_metadata, { name: "x", default_dynamic_variables: { name: "you" } });
  assert.deepEqual(chain.nodes.help?.global_node_setting?.go_back_conditions[1], {
    id: "back_1",
    condition: { type: "equation", value: "", equations: [{ left: "found", operator: "exists" }] },
  });
  assert.deepEqual(chain.nodes.tell?.tools, [find.definition]);
});

test("flow() writes the settings of the whole agent", () => {
  const graph = flow("head", {
    prompt: "Be kind.",
    beginMessage: "",
    startSpeaker: "user",
    start: "second",
    model: "openai/gpt",
    snippets: { bye: "Bye" },
    retell: { model_temperature: 0.2 },
    vapi: { name: "Squad" },
  })
    .end("first", { retell: { speak_during_execution: true }, vapi: { name: "First" } })
    .conversation("second", { next: ({ to }) => [to("first")] })
    .compile();

  assert.equal(graph.entry_node_id, "second");
  assert.equal(graph.default_model, "openai/gpt");
  assert.deepEqual(graph.snippets, { bye: "Bye" });
  assert.deepEqual(graph.source_metadata, {
    name: "head",
    general_prompt: "Be kind.",
    begin_message: "",
    start_speaker: "user",
    retell: { model_temperature: 0.2 },
    vapi: { name: "Squad" },
  });
  assert.deepEqual(graph.nodes.first?.metadata, { retell: { speak_during_execution: true }, vapi: { name: "First" } });
});

test("compile() accepts names that every object inherits", () => {
  const graph = flow("names", { variables: { constructor: text("A"), toString: text("B") } })
    .conversation("__proto__", { prompt: "{{constructor}}", next: ({ to }) => [to("constructor"), to("a -> b")] })
    .end("constructor", {})
    .end("a -> b", {})
    .compile();

  assert.deepEqual(Object.keys(graph.nodes), ["__proto__", "constructor", "a -> b"]);
  assert.equal(graph.entry_node_id, "__proto__");
  assert.deepEqual(parseGraph(graph), graph);
});

test("adding to a flow does not change it", () => {
  const start = flow("x").end("a", {});
  start.end("b", {});
  assert.deepEqual(Object.keys(start.compile().nodes), ["a"]);
});

test("a compiled flow keeps its definition next to the document", () => {
  assert.deepEqual(
    definitionOf(clinic)?.variables.map(({ name }) => name),
    ["caller_name", "intent"],
  );
  assert.equal(definitionOf({ ...clinic }), undefined);
  assert.deepEqual(Reflect.ownKeys(JSON.parse(JSON.stringify(clinic))), Object.keys(clinic));
});

test("compile() rejects mixing and with or", () => {
  const mixed = () =>
    flow("x", { variables: { a: number("A") } }).logic("l", {
      next: ({ to, when }) => [to("l", when("a", ">", 1).and(when("a", ">", 2).or("a", ">", 3)))],
    });
  assert.throws(mixed, (error) => isCallweaveError(error) && error.code === "equation-mismatch");
});
