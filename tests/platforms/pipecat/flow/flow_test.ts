import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { check, emit, flow, importAgent, text } from "../../../../mod.ts";
import { getAt } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";
import { PIZZA } from "./_flows.ts";

const edges = (node: AgentNode | undefined) =>
  node?.transitions.map(({ target_node_id: to, condition }) => [to, condition.type, condition.value]);

function withNode(graph: AgentGraph, id: string, change: (node: AgentNode) => Partial<AgentNode>): AgentGraph {
  const { [id]: node } = graph.nodes;
  assert.ok(node);
  return { ...graph, nodes: { ...graph.nodes, [id]: { ...node, ...change(node) } } };
}

test("a configured flow becomes a graph: roles, texts, functions, branches, globals and the end", () => {
  const { graph, format, findings } = importAgent(PIZZA);
  const { greet, pizza, bye } = graph.nodes;
  assert.equal(format, "pipecat");
  assert.equal(graph.source_metadata.general_prompt, "You take orders on the phone.");
  assert.equal(graph.source_metadata.begin_message, "Hello!");
  assert.equal(greet?.state_prompt, "Ask what {{ name }} wants.");
  assert.deepEqual(edges(greet), [["pizza", "llm_prompt", "The caller wants pizza."]]);
  assert.equal(pizza?.state_prompt, "Take the order.\n\n");
  assert.deepEqual(
    pizza?.tools.map(({ name }) => name),
    ["order_pizza", "list_toppings"],
  );
  assert.deepEqual(edges(pizza), [
    ["bye", "llm_prompt", '"order_pizza" was called, and status == ok'],
    ["pizza", "llm_prompt", '"order_pizza" was called, and status == true'],
    ["greet", "llm_prompt", '"order_pizza" was called, and no other case holds'],
  ]);
  assert.equal(bye?.node_type, "end");
  assert.equal(bye?.global_node_setting?.condition, "The caller asks for the manager.");
  assert.deepEqual(
    findings.map(({ code }) => code),
    ["global-function", "include"],
  );
  assert.equal(emit(graph, "pipecat").text, PIZZA);
  assert.equal(emit(graph, "pipecat").files, undefined);
});

for (const [what, change, before, after] of [
  [
    "a word of a prompt",
    (graph) => withNode(graph, "greet", ({ state_prompt: text }) => ({ state_prompt: text.replace("wants", "likes") })),
    "content: Ask what {{ name }} wants. #",
    "content: Ask what {{ name }} likes. #",
  ],
  [
    "one of several messages, beside an include",
    (graph) => withNode(graph, "pizza", () => ({ state_prompt: "Take the whole order.\n\n" })),
    "content: Take the order.",
    "content: Take the whole order.",
  ],
  [
    "the value of a case, in the words of its condition",
    (graph) =>
      withNode(graph, "pizza", ({ transitions: [first, ...rest] }) => ({
        transitions: [
          ...(first
            ? [{ ...first, condition: { ...first.condition, value: '"order_pizza" was called, and status == done' } }]
            : []),
          ...rest,
        ],
      })),
    "            ok: bye",
    "            done: bye",
  ],
  [
    "a condition",
    (graph) =>
      withNode(graph, "greet", ({ transitions: [first] }) => ({
        transitions: first ? [{ ...first, condition: { ...first.condition, value: "Pizza it is." } }] : [],
      })),
    "description: The caller wants pizza.",
    "description: Pizza it is.",
  ],
  [
    "the instruction of all nodes",
    (graph) => ({
      ...graph,
      source_metadata: { ...graph.source_metadata, general_prompt: "You take calls on the phone." },
    }),
    "      You take orders\n",
    "      You take calls\n",
  ],
] as const satisfies readonly (readonly [string, (graph: AgentGraph) => AgentGraph, string, string])[])
  test(`an edit of ${what} changes its line of the YAML, and the comments stay`, () => {
    const edited = emit(change(importAgent(PIZZA).graph), "pipecat");
    assert.equal(edited.text, PIZZA.replace(before, after));
    assert.deepEqual(edited.losses, []);
  });

test("the call of a function that only code describes moves the call, and its words are no condition", () => {
  const { graph } = importAgent({
    initial_node: "age",
    nodes: {
      age: {
        task_messages: [{ role: "developer", content: "Ask for the age." }],
        functions: [
          { name: "collect_age", transition_to: "quote" },
          { name: "stop", transition_only: true, description: "The caller stops.", transition_to: "quote" },
        ],
      },
      quote: { task_messages: [{ role: "developer", content: "Say the price." }], functions: [] },
    },
  });
  assert.deepEqual(edges(graph.nodes.age), [
    ["quote", "tool_call", "collect_age"],
    ["quote", "llm_prompt", "The caller stops."],
  ]);
  const back = withNode(graph, "age", ({ transitions }) => ({
    transitions: transitions.map((each) => ({ ...each, target_node_id: "age" })),
  }));
  const { config, losses } = emit(back, "pipecat");
  assert.deepEqual(getAt(config, ["nodes", "age", "functions"]), [
    { name: "collect_age", transition_to: "age" },
    { name: "stop", transition_only: true, description: "The caller stops.", transition_to: "age" },
  ]);
  assert.deepEqual(losses, []);
  const worded = withNode(graph, "age", ({ transitions }) => ({
    transitions: transitions.map((each) => ({
      ...each,
      condition: { type: "llm_prompt", value: "The age is known." },
    })),
  }));
  assert.deepEqual(
    emit(worded, "pipecat").losses.map(({ code, path }) => [code, path]),
    [["condition", ["nodes", "age", "transitions", 0]]],
  );
});

test("a renamed node keeps its place, and every reference follows", () => {
  const { graph } = importAgent(PIZZA);
  const renamed: AgentGraph = JSON.parse(JSON.stringify(graph).replaceAll('"pizza"', '"order"'));
  const { text } = emit(renamed, "pipecat");
  const rest: AgentGraph = importAgent(text).graph;
  assert.deepEqual(Object.keys(rest.nodes), ["greet", "order", "bye"]);
  assert.deepEqual(edges(rest.nodes.greet), [["order", "llm_prompt", "The caller wants pizza."]]);
  assert.equal(text, PIZZA.replaceAll(/\bpizza(?=:\n|\n)/g, "order"));
});

test("a JSON flow stays JSON, and truth values of YAML are texts of cases", () => {
  const value = parse(PIZZA.replace("!include prompts/pizza.txt", "Size first."), { version: "1.1" });
  const text = JSON.stringify(value);
  const { graph } = importAgent(text);
  assert.equal(emit(graph, "pipecat").text, text);
});

for (const [document, state] of [
  [{ initial_node: "x", nodes: { a: { task_messages: [] } } }, "initial_node 'x' is not a defined node"],
  [
    { initial_node: "a", nodes: { a: { task_messages: [], functions: [{ name: "f", transition_to: "b" }] } } },
    "node 'a' function 'f' transitions to unknown node 'b'",
  ],
  [
    { initial_node: "a", nodes: { a: { task_messages: [] } }, global_functions: [{ name: "g", transition_to: "b" }] },
    "global_functions function 'g' transitions to unknown node 'b'",
  ],
  [{ initial_node: "a", nodes: { a: { task_messages: "Hi" } } }, '"nodes.a.task_messages" is no list of objects'],
  [{ initial_node: "a", nodes: { a: { task_messages: [{ role: "x", content: 1 }] } } }, "content"],
] as const)
  test(`a flow is refused in the words of Pipecat: ${state}`, () => {
    assert.throws(
      () => importAgent(document, { format: "pipecat" }),
      (error) => {
        assert.equal(Object(error).code, "unknown-shape");
        assert.ok(String(error).includes(state), String(error));
        return true;
      },
    );
  });

test("check names functions that Pipecat refuses, and nodes without a way out", () => {
  const document = {
    initial_node: "a",
    nodes: {
      a: { task_messages: [], functions: [{ name: "f" }, { name: "f" }, { name: "g" }] },
    },
    global_functions: [{ name: "g" }],
  };
  const { graph } = importAgent(document);
  const messages = check(graph, { target: "pipecat" }).map(({ message }) => message);
  assert.ok(messages.includes("duplicate function 'f' in node"), messages.join("\n"));
  assert.ok(messages.includes("node 'a' function 'g' is also a global function"), messages.join("\n"));
});

test("a flow from code gets unique function names, also for ids that are no names", () => {
  const graph = flow("odd", { variables: { size: text("Size") } })
    .conversation("__proto__", { prompt: "Ask.", next: ({ to }) => [to("größe!", "A"), to("größe!", "B")] })
    .conversation("größe!", { prompt: "Ask {{size}}.", next: ({ to }) => [to("__proto__", "C"), to("bye")] })
    .end("bye", {})
    .compile();
  const { text: written, losses } = emit(graph, "pipecat");
  const names = [...written.matchAll(/name: (\S+)/g)].map(([, name = ""]) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
  const again = importAgent(written).graph;
  assert.deepEqual(Object.keys(again.nodes), ["__proto__", "größe!", "bye"]);
  assert.deepEqual(
    losses.map(({ code, path }) => [code, path.at(-1)]),
    [
      ["always", 1],
      ["in-code", "name"],
    ],
  );
});
