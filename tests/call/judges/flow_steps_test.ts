import assert from "node:assert/strict";
import { test } from "node:test";
import { hasChoices } from "../../../src/call/judges/mod.ts";
import type { FlowInput } from "../../../src/call/models/mod.ts";
import type { Message } from "../../../src/document/transcript/mod.ts";
import { line } from "./_fixtures.ts";
import { always, asked, equation, flowGraph, llm, moved, toolCalled } from "./_flow.ts";

const END = { node_type: "end" };
const GLOBAL = { global_node_setting: { condition: "Caller asks for the owner" } };
const GO_BACK = { go_back_conditions: [{ condition: { type: "llm_prompt", value: "Caller goes on" } }] };

test("hasChoices() finds a node from which a call can go elsewhere", () => {
  const rows: readonly (readonly [boolean, string, Parameters<typeof flowGraph>[0]])[] = [
    [false, "a node without a way", { a: { node_type: "conversation" } }],
    [false, "a way back to the node itself", { a: { node_type: "conversation", transitions: [llm("a")] } }],
    [true, "a way to another node", { a: { node_type: "conversation", transitions: [llm("b")] }, b: END }],
    [true, "a way at the last node alone", { b: END, a: { node_type: "logic", transitions: [equation("b")] } }],
    [true, "a global node beside a conversation", { a: { node_type: "conversation" }, b: { ...END, ...GLOBAL } }],
    [false, "a global node beside silent nodes", { a: { node_type: "logic" }, b: { ...END, ...GLOBAL } }],
    [false, "a global node alone", { a: { node_type: "conversation", ...GLOBAL } }],
    [
      true,
      "a way back from a global node",
      { a: { node_type: "logic", global_node_setting: { ...GLOBAL.global_node_setting, ...GO_BACK } } },
    ],
  ];
  for (const [expected, title, nodes] of rows) assert.equal(hasChoices(flowGraph(nodes)), expected, title);
});

/** The steps that a judge is shown of a call that has a choice in its last turn, without that one. */
async function steps(
  nodes: Parameters<typeof flowGraph>[0],
  transcript: readonly Message[],
): Promise<readonly FlowInput["call"][number][]> {
  const graph = flowGraph({
    ...nodes,
    last: { node_type: "conversation", transitions: [llm("end")] },
    end: END,
  });
  const call = [...transcript, line("user", "Well?", "last"), line("assistant", "Yes?", "last")];
  const found = (await asked(graph, call)).input.call.filter((entry) => "took" in entry);
  const last = found.pop();
  assert.equal(last?.at, "last");
  assert.equal(last?.took, "none");
  return found;
}

const FIXED = "an equation or a fixed way";
const DECIDED = { decision: { transition_to: "b" } };

test("judgeFlow() tells why a step was taken where no model decided, and nothing where one did", async () => {
  const ways = [llm("b"), equation("b"), equation("c"), always("d"), toolCalled("e"), llm("f"), llm("g"), llm("g")];
  const nodes = { a: { node_type: "conversation", transitions: ways }, b: END, c: END, d: END, e: END, f: END, g: END };
  const rows = [
    ["c", {}, FIXED],
    ["d", {}, FIXED],
    ["e", {}, FIXED],
    ["f", {}, ""],
    ["g", {}, ""],
    ["b", {}, "", "one of its ways is decided by a model"],
    ["b", { ways: [{ transition: 1 }] }, FIXED, "the way that was taken is an equation"],
    ["b", { ways: [{ transition: 0 }] }, "", "the way that was taken is decided by a model"],
    ["b", { ways: ["1", null, { go_back: 0 }] }, "", "unknown ways are those of a decision"],
    ["c", { because: "x is y" }, "x is y"],
    ["c", { because: "x is y", ...DECIDED }, ""],
    ["c", { because: 7 }, FIXED],
    ["f", { because: 7 }, ""],
    ["f", { because: "the timeline says so" }, "the timeline says so"],
    ["elsewhere", {}, "", "a way that the graph does not have"],
  ] as const;
  for (const [to, metadata, because, title] of rows)
    assert.deepEqual(
      await steps(nodes, [line("user", "Hello", "a"), moved("a", to, metadata)]),
      [{ step: 1, at: "a", took: to, because }],
      title ?? `${to} ${JSON.stringify(metadata)}`,
    );
});

test("judgeFlow() asks about a transition only where the call could have done something else", async () => {
  const owner = { owner: { ...END, ...GLOBAL } };
  const rows: readonly (readonly [1 | null, string, string, readonly object[], object?, string?])[] = [
    [null, "a fixed way out of a silent node", "logic", [always("b")]],
    [null, "the only way of a conversation is fixed", "conversation", [always("b")]],
    [null, "the only way is fixed, though there are global nodes", "conversation", [always("b")], owner],
    [null, "two fixed ways to the same node", "conversation", [always("b"), always("b")]],
    [1, "a fixed way beside another", "conversation", [always("b"), llm("c")]],
    [null, "the only way follows a tool", "function", [toolCalled("b")]],
    [null, "two ways that follow a tool lead to the same node", "conversation", [toolCalled("b"), toolCalled("b")]],
    [1, "a way that follows a tool beside another", "function", [toolCalled("b"), always("c")]],
    [null, "the only way of a silent node is an equation", "logic", [equation("b")]],
    [null, "silent nodes do not lead to global nodes", "logic", [equation("b")], owner],
    [1, "an equation of a silent node beside another way", "logic", [equation("b"), always("c")]],
    [1, "an equation of a conversation, which can stay", "conversation", [equation("b")]],
    [1, "an equation and a fixed way of a conversation to the same node", "conversation", [equation("b"), always("b")]],
    [1, "a condition for the model, which can stay", "conversation", [llm("b")]],
    [1, "a way that the graph does not have", "conversation", [always("c")], {}],
    [1, "a way back, though the node has none of its own", "logic", [], { a: { ...GO_BACK, condition: "x" } }],
  ];
  for (const [step, title, node_type, transitions, others = {}] of rows) {
    const { a: global_node_setting, ...more } = { a: undefined, ...others };
    const nodes = { a: { node_type, transitions, global_node_setting }, b: END, c: END, ...more };
    const found = await steps(nodes, [line("user", "Hello", "a"), moved("a", "b")]);
    assert.deepEqual(
      found.map((entry) => "took" in entry && [entry.step, entry.at, entry.took]),
      [[step, "a", "b"]],
      title,
    );
  }
});

test("judgeFlow() asks about a turn that stayed only where there was a way to leave", async () => {
  const stayed = [line("user", "Hello", "a"), line("assistant", "Hello", "a")];
  const rows: readonly (readonly [1 | null, string, readonly object[], object?])[] = [
    [null, "no way at all", []],
    [null, "a way back to the node itself", [llm("a")]],
    [1, "a way to another node", [llm("b")]],
    [1, "a global node", [], { owner: { ...END, ...GLOBAL } }],
  ];
  for (const [step, title, transitions, others] of rows)
    assert.deepEqual(
      await steps({ a: { node_type: "conversation", transitions }, b: END, ...others }, stayed),
      [{ step, at: "a", took: "none", because: "" }],
      title,
    );
});

test("judgeFlow() takes a transition without a `from` from the node of its message", async () => {
  const nodes = { a: { node_type: "conversation", transitions: [llm("b")] }, b: END };
  for (const [node, from] of [
    ["a", undefined],
    ["a", 7],
    ["b", "a"],
  ] as const) {
    const message = { ...moved("a", "b", { from }), node_id: node };
    assert.deepEqual(await steps(nodes, [message]), [{ step: 1, at: "a", took: "b", because: "" }]);
  }
});

test("judgeFlow() does not judge ways of nodes that the graph does not have", async () => {
  const old = moved("old", "b", { ways: [{ transition: 0 }] });
  assert.deepEqual(await steps({ b: END }, [line("user", "Hello", "old"), old]), [
    { step: null, at: "old", took: "b", because: "" },
  ]);
});
