import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../../src/document/transcript/mod.ts";
import { line } from "./_fixtures.ts";
import { asked, flowGraph, llm, moved, toolCalled } from "./_flow.ts";

const END = { node_type: "end" };
const HELLO = line("user", "Hello", "a");
const DECIDED = { decision: { transition_to: "b" } };

test("judgeFlow() puts the condition of each way into words for the judge", async () => {
  const clause = (operator: string, right?: unknown) => ({ left: "age", operator, right });
  const both = [clause(">=", 18), clause("exists")];
  const rows = [
    [{ type: "llm_prompt", value: "{{name}} {%asks%}" }, "Ann asks"],
    [{ type: "llm_prompt" }, ""],
    [{ type: "always" }, "no other condition is met"],
    [{ type: "tool_call" }, "the tool has been called"],
    [{ type: "tool_call", outcome: "succeeded" }, "the tool succeeded"],
    [{ type: "tool_call", outcome: "failed" }, "the tool failed"],
    [{ type: "equation", equations: [clause("==", true)] }, "age is true"],
    [{ type: "equation", equations: [clause("not_exist")] }, "age is not known"],
    [{ type: "equation", equations: [clause("==")] }, "age is "],
    [{ type: "equation", equations: both }, "age is at least 18 and age is known"],
    [{ type: "equation", equations: both, logical_operator: "and" }, "age is at least 18 and age is known"],
    [{ type: "equation", equations: both, logical_operator: "or" }, "age is at least 18 or age is known"],
    [{ type: "equation", value: "another text" }, ""],
  ] as const;
  const transitions = rows.map(([condition]) => ({ target_node_id: "b", condition }));
  const graph = {
    ...flowGraph({ a: { node_type: "conversation", transitions }, b: END }),
    snippets: { asks: "asks" },
  };
  const { input } = await asked(graph, [HELLO, moved("a", "b", DECIDED)], {}, { name: "Ann" });
  assert.deepEqual(
    input.nodes[0]?.transitions,
    rows.map(([{ type }, condition]) => ({ target: "b", condition, condition_type: type })),
  );
});

test("judgeFlow() shows the judge the nodes with a choice, and no others", async () => {
  const graph = flowGraph({
    sort: { node_type: "logic", transitions: [toolCalled("a")] },
    a: { node_type: "conversation", transitions: [llm("b")] },
    b: { node_type: "conversation" },
  });
  const call = [moved("sort", "a"), HELLO, moved("a", "b"), line("user", "So?", "b"), line("assistant", "So.", "b")];
  const { input } = await asked(graph, call);
  assert.deepEqual(
    input.nodes.map(({ id }) => id),
    ["a"],
  );
  assert.deepEqual(
    input.call.flatMap((entry) => ("took" in entry ? [[entry.step, entry.at, entry.took]] : [])),
    [
      [null, "sort", "a"],
      [1, "a", "b"],
      [null, "b", "none"],
    ],
  );
});

test("judgeFlow() shows the judge what tools did and which values were extracted, and no other records", async () => {
  const graph = flowGraph({ a: { node_type: "conversation", transitions: [llm("b")] }, b: END });
  const record = (role: Message["role"], kind: string) => ({ ...line(role, kind, "a"), metadata: { kind } });
  const call = [
    ...["tool_call", "extraction", "decision", "unusable_answer", "another"].map((kind) => record("tool", kind)),
    line("tool", "without a kind", "a"),
    ...["silence", "tool_call"].map((kind) => record("system", kind)),
    HELLO,
    line("assistant", "Yes?", "a"),
  ];
  const { input } = await asked(graph, call);
  assert.deepEqual(
    input.call.flatMap((entry) => ("role" in entry ? [[entry.role, entry.content]] : [])),
    [
      ["tool", "tool_call"],
      ["tool", "extraction"],
      ["user", "Hello"],
      ["assistant", "Yes?"],
    ],
  );
});

test("judgeFlow() offers ways back to each node from which the call entered a global node, and to no other", async () => {
  const back = (value: string) => ({ condition: { type: "llm_prompt", value } });
  const graph = flowGraph({
    a: { node_type: "conversation", transitions: [llm("b")] },
    b: { node_type: "conversation", transitions: [llm("c")] },
    c: { node_type: "conversation", transitions: [llm("owner")] },
    owner: {
      node_type: "conversation",
      transitions: [llm("owner", "Caller repeats it")],
      global_node_setting: { condition: "The owner", go_back_conditions: [back("Caller goes on"), back("Enough")] },
    },
  });
  const path = [
    ["a", "owner"],
    ["owner", "owner"],
    ["owner", "a"],
    ["a", "b"],
    ["b", "c"],
    ["c", "owner"],
    ["owner", "c"],
  ] as const;
  const { input } = await asked(graph, [HELLO, ...path.map(([from, to]) => moved(from, to, DECIDED))]);
  const go = (target: string, condition: string) => ({ target, condition, condition_type: "go_back" });
  assert.deepEqual(input.nodes.find(({ id }) => id === "owner")?.transitions, [
    { target: "owner", condition: "Caller repeats it", condition_type: "llm_prompt" },
    go("a", "Caller goes on"),
    go("c", "Caller goes on"),
    go("a", "Enough"),
    go("c", "Enough"),
  ]);
  assert.deepEqual(input.nodes.find(({ id }) => id === "a")?.transitions, [
    { target: "b", condition: "Caller wants it", condition_type: "llm_prompt" },
  ]);
});
