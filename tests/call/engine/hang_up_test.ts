import assert from "node:assert/strict";
import { test } from "node:test";
import type { Conversation, TurnMode } from "../../../src/call/engine/mod.ts";
import type { ScriptedQueues } from "../../../src/call/models/mod.ts";
import { callOn, pick, to } from "./calls.ts";

const CHARGE = { name: "charge", description: "", parameters: { properties: { amount: { type: "number" } } } };
const nodes = {
  ask: { state_prompt: "Ask.", transitions: [to("pay", "Caller agrees"), to("talk", "Caller hesitates")] },
  pay: { node_type: "function", tools: [CHARGE], transitions: [to("talk")] },
  talk: {
    state_prompt: "Talk.",
    tools: [CHARGE],
    transitions: [to("ask", { type: "tool_call", outcome: "succeeded" })],
  },
};
const words = { respond: ["Hello", "Hello again", "Hello once more"] };

/** Runs a call in which the caller hangs up at a moment of their first turn, and reports the result. */
async function hangUp(at: (hang: () => void) => ScriptedQueues, turn: TurnMode = "split") {
  let charged = 0;
  const held: { call?: Conversation } = {};
  const queues = at(() => held.call?.end("caller_ended"));
  const { call } = callOn(nodes, { ...words, ...queues }, { turn, tools: { charge: () => ++charged } });
  held.call = call;
  await call.open();
  const { messages, ended } = await call.hear("Well");
  assert.deepEqual([ended, call.endReason], [true, "caller_ended"]);
  return { said: messages.map(({ role }) => role), visited: call.nodesVisited, charged };
}

const now = (hang: () => void, answer: unknown) => () => {
  hang();
  return answer;
};
const charge = { toolCalls: [{ name: "charge", arguments: { amount: 5 } }] };

test("end() during a transition call keeps the call at its node", async () => {
  for (const turn of ["split", "speculative"] as const) {
    const went = await hangUp((hang) => ({ transition: [now(hang, pick("talk"))] }), turn);
    assert.deepEqual(went, { said: ["user"], visited: ["ask"], charged: 0 }, turn);
  }
});

test("end() during a reply discards the reply", async () => {
  const went = await hangUp((hang) => ({ transition: [pick("talk")], respond: ["Hello", now(hang, "Listen")] }));
  assert.deepEqual(went, { said: ["user", "tool"], visited: ["ask", "talk"], charged: 0 });
});

test("end() during an arguments call prevents the tool call", async () => {
  const went = await hangUp((hang) => ({ transition: [pick("pay")], arguments: [now(hang, { amount: 5 })] }));
  assert.deepEqual(went, { said: ["user", "tool"], visited: ["ask", "pay"], charged: 0 });
});

test("end() during a reply with tool calls prevents the tool calls", async () => {
  const went = await hangUp((hang) => ({ transition: [pick("talk")], respond: ["Hello", now(hang, charge)] }));
  assert.deepEqual(went, { said: ["user", "tool"], visited: ["ask", "talk"], charged: 0 });
});

test("end() does not wait for a tool that never answers", async () => {
  const held: { call?: Conversation } = {};
  const charge = () => {
    held.call?.end("caller_ended");
    return new Promise(() => {});
  };
  const queues = { ...words, transition: [pick("pay")], arguments: [{ amount: 5 }] };
  const { call } = callOn(nodes, queues, { tools: { charge } });
  held.call = call;
  await call.open();
  const { nodeId, endReason } = await call.hear("Well");
  assert.deepEqual([nodeId, endReason, call.toolsCalled], ["pay", "caller_ended", []]);
});

test("end() in a listener makes the reported event the last one", async () => {
  const held: { call?: Conversation } = {};
  const equation = { type: "equation", equations: [{ left: "vip", operator: "exists" }] };
  const onMessage = ({ message: { role } }: { message: { role: string } }) =>
    role === "user" && held.call?.end("caller_ended");
  const direct = {
    a: { node_type: "conversation", state_prompt: "A", transitions: [to("b", equation)] },
    b: { state_prompt: "B" },
  };
  const { call } = callOn(direct, {}, { variables: { vip: 1 }, listeners: { onMessage } });
  held.call = call;
  await call.open();
  const { messages } = await call.hear("Bye");
  assert.deepEqual([messages.length, call.nodesVisited, call.endReason], [1, ["a"], "caller_ended"]);
});
