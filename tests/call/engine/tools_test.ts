import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";
import type { ToolCall } from "../../../src/document/transcript/mod.ts";
import { callOn, pick, to } from "./calls.ts";

const lookup = {
  name: "lookup",
  description: "Finds an order",
  parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  response_variables: { status: "$.order.status" },
};
const mock = (more: Partial<ToolMock> = {}): ToolMock => ({
  tool_name: "lookup",
  input_match_rule: { type: "any" },
  output: '{"order":{"status":"shipped"}}',
  result: true,
  ...more,
});
const equation = (right: string) => ({ type: "equation", equations: [{ left: "status", operator: "==", right }] });
const nodes = {
  a: { state_prompt: "A", transitions: [to("f", "Caller gave a number")] },
  f: {
    node_type: "function",
    tools: [lookup],
    transitions: [to("sorry", { type: "tool_call", outcome: "failed" }), to("shipped", equation("shipped")), to("a")],
  },
  shipped: { state_prompt: "It is {{status}}." },
  sorry: { state_prompt: "Apologise." },
};

test("a function node's result fills variables that its transitions use", async () => {
  const told: ToolCall[] = [];
  const queues = { transition: [pick("f")], arguments: [{ id: "7" }] };
  const { call, model } = callOn(nodes, queues, {
    mocks: [mock()],
    listeners: { onTool: ({ call: one }) => told.push(one) },
  });
  await call.open();
  await call.hear("order 7");
  assert.deepEqual(call.nodesVisited, ["a", "f", "shipped"]);
  assert.equal(call.variables.status, "shipped");
  assert.equal(model.calls.at(-1)?.input.state_instructions, "It is shipped.");
  const { durationMs, ...kept } = call.toolsCalled[0] ?? { durationMs: -1 };
  assert.ok(durationMs >= 0);
  assert.deepEqual(kept, {
    name: "lookup",
    arguments: { id: "7" },
    result: { order: { status: "shipped" } },
    outcome: "succeeded",
    nodeId: "f",
    mocked: true,
  });
  assert.deepEqual(told, call.toolsCalled);
});

test("a failed tool changes no variables and takes the failed transition", async () => {
  const queues = { transition: [pick("f")], arguments: [{ id: "7" }] };
  const { call } = callOn(nodes, queues, { mocks: [mock({ result: false })], variables: { status: "open" } });
  await call.open();
  await call.hear("order 7");
  assert.deepEqual([call.nodesVisited.at(-1), call.variables.status], ["sorry", "open"]);
});

test("a function of the conversation's options answers calls without a mock", async () => {
  const queues = { transition: [pick("f")], arguments: [{ id: "7" }] };
  const tools = { lookup: ({ id }: Record<string, unknown>) => ({ order: { status: id === "7" ? "shipped" : "?" } }) };
  const { call } = callOn(nodes, queues, { tools });
  await call.open();
  await call.hear("order 7");
  assert.equal(call.toolsCalled[0]?.mocked, false);
  assert.equal(call.nodesVisited.at(-1), "shipped");
});

test("a conversation node's reply can call tools, and later turns see their results", async () => {
  const talk = { a: { state_prompt: "A", tools: [lookup] } };
  const respond = [
    "Hello",
    { text: "let me see", toolCalls: [{ name: "lookup", arguments: { id: "7" } }] },
    "It is shipped.",
    "Bye",
  ];
  const { call, model } = callOn(talk, { respond }, { mocks: [mock()] });
  await call.open();
  const turn = await call.hear("order 7");
  await call.hear("thanks");
  assert.deepEqual(turn.spoken, ["It is shipped."]);
  assert.equal(call.variables.status, "shipped");
  assert.deepEqual(
    call.transcript.map(({ role, metadata }) => (role === "system" ? `unspoken ${metadata.spoken}` : role)),
    ["assistant", "user", "unspoken false", "tool", "assistant", "user", "assistant"],
  );
  assert.match(JSON.stringify(model.calls.at(-1)?.input.conversation_history), /lookup.*succeeded.*shipped/);
});

test("a transition on a tool's outcome fires after the reply that called it", async () => {
  const talk = {
    a: { state_prompt: "A", tools: [lookup], transitions: [to("done", { type: "tool_call", value: "lookup" })] },
    done: { node_type: "end" },
  };
  const respond = ["Hello", { toolCalls: [{ name: "lookup", arguments: { id: "7" } }] }, "It is shipped. Goodbye."];
  const { call } = callOn(talk, { respond }, { mocks: [mock()] });
  await call.open();
  await call.hear("order 7");
  assert.equal(call.endReason, "agent_ended");
});

for (const [type, reason] of [
  ["end_call", "agent_ended"],
  ["transfer_call", "agent_transferred"],
] as const) {
  const tool = { name: "finish", type };
  const finish = { text: "", toolCalls: [{ name: "finish", arguments: {} }] };

  test(`a reply that calls a ${type} tool is the last one`, async () => {
    const { call } = callOn({ a: { state_prompt: "A", tools: [tool] } }, { respond: ["Hello", finish, "Goodbye!"] });
    await call.open();
    const turn = await call.hear("that is all");
    assert.deepEqual([turn.spoken, turn.endReason], [["Goodbye!"], reason]);
  });

  test(`a ${type} tool whose mock fails keeps the call open`, async () => {
    const nodes = { a: { state_prompt: "A", tools: [tool] } };
    const mocks = [mock({ tool_name: "finish", result: false })];
    const { call } = callOn(nodes, { respond: ["Hello", finish, "Please hold"] }, { mocks });
    await call.open();
    assert.equal((await call.hear("that is all")).ended, false);
  });

  test(`a function node with a ${type} tool ends the call`, async () => {
    const { call } = callOn({ f: { node_type: "function", tools: [tool], transitions: [to("f")] } });
    await call.open();
    assert.equal(call.endReason, reason);
  });
}

test("a tool that fails twice in a row ends the call as failed, with the tool's name", async () => {
  const again = { toolCalls: [{ name: "lookup", arguments: { id: "7" } }] };
  const { call } = callOn({ a: { state_prompt: "A", tools: [lookup] } }, { respond: ["Hello", again, again] });
  await call.open();
  await call.hear("order 7");
  assert.equal(call.endReason, "failed");
  assert.match(call.endDetail ?? "", /lookup\(\{"id":"7"\}\) failed twice/);
});

test("a budget of the call ends it between two model calls, with the budget's name", async () => {
  const { call } = callOn({ a: { state_prompt: "A" } }, {}, { limits: { budget: { call: { modelCalls: 2 } } } });
  await call.open();
  await call.hear("one");
  await call.hear("two");
  assert.equal(call.endReason, "budget_exceeded");
  assert.equal(call.endDetail, "call budget modelCalls: 2 of 2");
});

test("a cost budget for a model without a price is rejected before the first call", async () => {
  const model = { modelId: "unpriced", provider: "somewhere" };
  const { call, model: scripted } = callOn(
    { a: { state_prompt: "A" } },
    {},
    { limits: { budget: { call: { costUsd: 1 } } } },
  );
  await call.open();
  assert.equal(scripted.calls.length, 1);
  const { conversation } = await import("../../../src/call/engine/mod.ts");
  const { parseGraph } = await import("../../../src/document/graph/mod.ts");
  const graph = parseGraph({ nodes: { a: { state_prompt: "A" } }, entry_node_id: "a" });
  const agent = { ...scripted, ...model };
  const unpriced = conversation(graph, { models: { agent }, limits: { budget: { call: { costUsd: 1 } } } });
  await assert.rejects(unpriced.open(), { code: "missing-price" });
  const prices = { "somewhere/unpriced": { input: 1, output: 1 } };
  await conversation(graph, {
    models: { agent },
    limits: { budget: { call: { costUsd: 1 } } },
    requests: { prices },
  }).open();
});

test("listeners get messages and tool calls as they happen", async () => {
  const told: string[] = [];
  const queues = { transition: [pick("f")], arguments: [{ id: "7" }] };
  const { call } = callOn(nodes, queues, {
    mocks: [mock()],
    listeners: { onMessage: ({ message: { role } }) => told.push(role) },
  });
  await call.open();
  await call.hear("order 7");
  assert.deepEqual(
    told,
    call.transcript.map(({ role }) => role),
  );
});

test("a function node requests arguments for parameters with oneOf or anyOf", async () => {
  const parameters = { anyOf: [{ required: ["email"] }, { required: ["phone"] }] };
  const tool = { name: "find", description: "", type: "custom", parameters };
  const { call } = callOn(
    { f: { node_type: "function", tools: [tool], transitions: [] } },
    { arguments: [{ email: "ann@example.com" }] },
    { tools: { find: () => "found" } },
  );
  await call.open();
  assert.deepEqual(call.toolsCalled[0]?.arguments, { email: "ann@example.com" });
  assert.equal(call.toolsCalled[0]?.result, "found");
});

test("a mock with optional keys missing or null succeeds for any arguments", async () => {
  for (const given of [{}, { input_match_rule: null, output: null, result: null }] as object[]) {
    const mocks = [{ tool_name: "find", ...given }] as unknown as ToolMock[]; // as plain JavaScript passes it
    const find = { name: "find", description: "", type: "custom" };
    const { call } = callOn({ f: { node_type: "function", tools: [find], transitions: [] } }, {}, { mocks });
    await call.open();
    assert.deepEqual([call.toolsCalled[0]?.outcome, call.toolsCalled[0]?.result], ["succeeded", null]);
  }
});
