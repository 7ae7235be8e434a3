import assert from "node:assert/strict";
import { test } from "node:test";
import type { Conversation } from "../../../src/call/engine/mod.ts";
import type { ScriptedQueues } from "../../../src/call/models/mod.ts";
import { callOn, pick, to } from "./calls.ts";

const when = (left: string, right: string) => ({
  type: "equation",
  equations: [{ left, operator: "==", right }],
  logical_operator: "and",
});
const on = (outcome: string) => ({ type: "tool_call", value: "", outcome });
const look = {
  name: "look",
  description: "Looks for {{name}}",
  parameters: { properties: { id: { type: "number" } } },
  response_variables: { found: "$.id", gone: "$.none" },
};
const nodes = {
  greet: { state_prompt: "Greet.", transitions: [to("read", "Says something")] },
  read: {
    node_type: "extract",
    state_prompt: "Read {{name}}.",
    variables_to_extract: [{ name: "plan", description: "Plan of {{name}}", type: "enum", choices: ["gold", "free"] }],
    transitions: [
      to("look", when("plan", "gold")),
      to("bye", "Is done"),
      to("talk", "Wants to talk"),
      to("talk", "Is bored"),
      to("bye"),
    ],
  },
  look: {
    node_type: "function",
    state_prompt: "Look for {{name}}.",
    tools: [look],
    transitions: [to("bye", when("plan", "free")), to("bye", on("failed")), to("talk", on("succeeded"))],
  },
  talk: { state_prompt: "Talk." },
  bye: { node_type: "end" },
};

/** A call in which the caller says one thing, with a clock that stands still. */
async function callWith(queues: ScriptedQueues) {
  const clock = { ms: 100 };
  const startCall = () => ({ now: () => clock.ms, pause: () => () => {}, after: () => () => {} });
  const later = (ms: number, answer: unknown) => () => {
    clock.ms += ms;
    return answer;
  };
  const transition = (queues.transition ?? []).map((answer) => later(5, answer));
  const { call, model } = callOn(
    nodes,
    { respond: ["Hello.", "Well."], ...queues, transition: [pick("read"), ...transition] },
    { variables: { name: "Ann" }, tools: { look: later(30, { id: 8 }) }, clock: { startCall } },
  );
  await call.open();
  const { messages } = await call.hear("My plan?");
  const records = messages.flatMap(({ role, content, metadata }) => (role === "tool" ? [{ content, metadata }] : []));
  return { call, model, records: records.slice(1) };
}

const heard = [
  { role: "assistant", content: "Hello." },
  { role: "user", content: "My plan?" },
];

test("the transcript has what an extract and a function node did, and why the call went on", async () => {
  const { call, model, records } = await callWith({ extract: [{ plan: "gold" }], arguments: [{ id: 7 }] });
  const tool = { name: "look", arguments: { id: 7 }, result: { id: 8 }, outcome: "succeeded", mocked: false };
  assert.deepEqual(records, [
    { content: 'extracted {"plan":"gold"}', metadata: { kind: "extraction", variables: { plan: "gold" } } },
    {
      content: 'read -> look: plan == "gold" (plan = "gold")',
      metadata: {
        kind: "transition",
        from: "read",
        to: "look",
        because: 'plan == "gold" (plan = "gold")',
        ways: [{ transition: 0 }],
        equations: [{ transition: 0, clauses: [true] }],
      },
    },
    {
      content: 'look({"id":7}) succeeded: {"id":8}',
      metadata: { kind: "tool_call", ...tool, duration_ms: 30 },
    },
    {
      content: "look -> talk: the tool succeeded",
      metadata: {
        kind: "transition",
        from: "look",
        to: "talk",
        because: "the tool succeeded",
        ways: [{ transition: 2 }],
        equations: [{ transition: 0, clauses: [false] }],
      },
    },
  ]);
  assert.deepEqual(call.toolsCalled, [{ ...tool, durationMs: 30, nodeId: "look" }]);
  assert.deepEqual(call.variables, { name: "Ann", plan: "gold", found: "8" });
  const inputOf = (signature: string) => model.calls.find((each) => each.signature === signature)?.input;
  assert.deepEqual(inputOf("extract"), {
    instructions: "Read Ann.",
    variables: [{ name: "plan", description: "Plan of Ann", type: "enum", choices: ["gold", "free"] }],
    conversation_history: heard,
  });
  assert.deepEqual(inputOf("arguments"), {
    instructions: "Look for Ann.",
    tool: { name: "look", description: "Looks for Ann", parameters: look.parameters },
    variables: { name: "Ann", plan: "gold" },
    conversation_history: heard,
  });
});

test("a silent node takes the model's pick, with every transition that leads there", async () => {
  const decision = { ...(pick("talk") as object), reasoning: " They\n\nare chatty. " };
  const { call, model, records } = await callWith({ extract: [{ plan: null }], transition: [decision] });
  assert.deepEqual(records.at(-1), {
    content: "read -> talk: Wants to talk; reasoning: They are chatty.",
    metadata: {
      kind: "transition",
      from: "read",
      to: "talk",
      because: "Wants to talk",
      ways: [{ transition: 2 }, { transition: 3 }],
      equations: [{ transition: 0, clauses: [false] }],
      decision,
    },
  });
  const { input } = model.calls.filter(({ signature }) => signature === "transition")[1] ?? {};
  assert.deepEqual(input?.conversation_history, [{ role: "user", content: "My plan?" }]); // since the caller spoke
  assert.equal(call.latency[1]?.parts?.transition, 5);
});

test("a silent node without a pick takes its `always` transition", async () => {
  const { records } = await callWith({ extract: [{ plan: null }], transition: [pick("none")] });
  assert.deepEqual(
    records.slice(1).map(({ content, metadata: { kind, ways } }) => [content, kind, ways]),
    [
      ['no transition taken: the model picks none of "bye", "talk"', "decision", undefined],
      ["read -> bye: always", "transition", [{ transition: 4 }]],
    ],
  );
});

test("the transcript shows how a global node was entered, and its go-back conditions that do not hold", async () => {
  const back = { id: "back", condition: when("loud", "no") };
  const withBoss = {
    greet: { state_prompt: "Greet.", transitions: [to("sort", "Says something"), to("sort", when("vip", "yes"))] },
    sort: { node_type: "logic" },
    boss: { state_prompt: "Boss.", global_node_setting: { condition: "Wants the boss", go_back_conditions: [back] } },
  };
  const { call } = callOn(withBoss, { transition: [pick("boss")] });
  await call.open();
  const recordsOf = async (words: string) =>
    (await call.hear(words)).messages.flatMap(({ role, content, metadata }) =>
      role === "tool" ? [{ content, metadata }] : [],
    );
  const entry = { objectives_complete: true, transition_to: "boss" };
  assert.deepEqual((await recordsOf("The boss!"))[0]?.metadata, {
    kind: "transition",
    from: "greet",
    to: "boss",
    because: "Wants the boss",
    ways: [{ global: true }],
    equations: [{ transition: 1, clauses: [false] }],
    decision: entry,
  });
  assert.deepEqual(await recordsOf("Hm."), [
    {
      content: 'no transition taken: no equation holds: loud == "no" (loud is not set) -> greet',
      metadata: { kind: "decision", variables: { loud: null }, equations: [{ go_back: 0, clauses: [false] }] },
    },
  ]);
});

test("a logic node without a pick lists its equations only", async () => {
  const settling = {
    sort: {
      node_type: "logic",
      transitions: [to("talk", when("plan", "gold")), to("talk", "Wants more"), to("talk", when("plan", "free"))],
    },
    talk: { state_prompt: "Talk." },
  };
  const { call } = callOn(settling, { transition: [pick("none")] }, { variables: { plan: "x" } });
  const { messages, nodeId } = await call.open();
  assert.equal(nodeId, "sort");
  assert.deepEqual(
    messages.map(({ content, metadata: { decision: _, ...metadata } }) => ({ content, metadata })),
    [
      {
        content: 'no transition taken: the model picks none of "talk"',
        metadata: {
          kind: "decision",
          offered: ["talk"],
          equations: [
            { transition: 0, clauses: [false] },
            { transition: 2, clauses: [false] },
          ],
        },
      },
      {
        content:
          'no transition taken: no equation holds: plan == "gold" (plan = "x") -> talk; plan == "free" (plan = "x") -> talk',
        metadata: { kind: "decision", variables: { plan: "x" } },
      },
    ],
  );
});

test("in an opening, a silent node's decision reads the whole call", async () => {
  const opening = {
    look: { node_type: "function", tools: [{ name: "look", description: "" }], transitions: [to("sort")] },
    sort: { node_type: "logic", transitions: [to("talk", "Is known")] },
    talk: { state_prompt: "Talk." },
  };
  const { call, model } = callOn(opening, { transition: [pick("talk")] }, { tools: { look: () => "known" } });
  await call.open();
  assert.deepEqual(model.calls[0]?.input.conversation_history, [
    { role: "tool", content: "look({}) succeeded: known" },
  ]);
});

test("a function node without a tool fails, and nodes of other types call none", async () => {
  const without = {
    look: { node_type: "function", transitions: [to("talk", on("succeeded")), to("sort", on("failed"))] },
    sort: { node_type: "logic", tools: [{ name: "look", description: "" }], transitions: [to("read")] },
    read: { node_type: "extract", state_prompt: "Read.", transitions: [to("talk")] }, // without variables
    talk: { state_prompt: "Talk." },
  };
  const { call, model } = callOn(without, {}, { tools: { look: () => 1 } });
  await call.open();
  assert.deepEqual([call.nodesVisited, call.toolsCalled], [["look", "sort", "read", "talk"], []]);
  assert.deepEqual(
    model.calls.map(({ signature }) => signature),
    ["respond"],
  );
});

test("a silent node makes no request when the budget is used up", async () => {
  const { read, look: tool, talk, bye } = nodes;
  const starts: readonly { readonly [id: string]: object }[] = [
    { read, look: tool, talk, bye },
    { look: tool, talk, bye },
  ];
  for (const first of starts) {
    const { call, model } = callOn(
      first,
      {},
      { limits: { budget: { call: { modelCalls: 0 } } }, tools: { look: () => 1 } },
    );
    await call.open();
    assert.deepEqual([call.endReason, model.calls, call.toolsCalled], ["budget_exceeded", [], []]);
    assert.equal(call.endDetail, "call budget modelCalls: 0 of 0");
  }
});

test("a call that is ended while a silent node decides records nothing more", async () => {
  const held: { call?: Conversation } = {};
  const hangUp = () => {
    held.call?.end("caller_ended");
    return pick("none");
  };
  const { bye, talk } = nodes;
  const sort = { node_type: "logic", transitions: [to("bye", when("plan", "gold")), to("talk", "Wants to talk")] };
  const { call } = callOn({ sort, bye, talk }, { transition: [hangUp] });
  held.call = call;
  const { messages } = await call.open();
  assert.deepEqual(
    messages.map(({ content, metadata }) => ({ content, metadata })),
    [
      {
        content: "no transition taken: the call ended before one was chosen",
        metadata: { kind: "decision", equations: [{ transition: 0, clauses: [false] }] },
      },
    ],
  );
});
