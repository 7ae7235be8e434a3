import assert from "node:assert/strict";
import { test } from "node:test";
import { createCallClock, scripted } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { TestClock } from "../../test_clock.ts";
import { CHAT } from "./_fixtures.ts";

/** A graph that calls a tool before it says a word. */
const TOOL = parseGraph({
  entry_node_id: "look",
  nodes: { look: { node_type: "function", tools: [{ name: "wait", description: "" }], transitions: [] } },
});

test("run() ends a call after the maximum number of caller turns", async () => {
  const says = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const scenarios = [
    { name: "default", says, excludes: ["never said"] },
    { name: "own", says, max_turns: 2, ends: "max_turns" as const },
  ];
  const report = await run(CHAT, scenarios, { models: { agent: scripted({}) }, store: false });
  assert.deepEqual(
    report.results.map(({ turnCount, endReason, status }) => ({ turnCount, endReason, status })),
    [
      { turnCount: 20, endReason: "max_turns", status: "pass" },
      { turnCount: 2, endReason: "max_turns", status: "pass" },
    ],
  );
  const shorter = await run(CHAT, [{ name: "run", says, excludes: ["never said"] }], {
    models: { agent: scripted({}) },
    store: false,
    limits: { maxTurns: 3 },
  });
  assert.equal(shorter.results[0]?.turnCount, 3);
});

test("run() lets the agent answer the caller's last line before the caller hangs up", async () => {
  const caller = scripted({
    caller: [
      { message: "Hi", should_end: false },
      { message: "Bye", should_end: true },
    ],
  });
  const report = await run(CHAT, [{ name: "persona", user_prompt: "You are Jo.", excludes: ["never said"] }], {
    models: { agent: scripted({ respond: ["Hello Jo", "Goodbye Jo"] }), caller },
    store: false,
  });
  const [result] = report.results;
  assert.equal(result?.endReason, "caller_ended");
  assert.equal(result?.turnCount, 2);
  assert.deepEqual(
    result?.transcript.map(({ content }) => content),
    ["Hello", "Hi", "Hello Jo", "Bye", "Goodbye Jo"],
  );
  assert.deepEqual(caller.calls[1]?.input.conversation_history, [
    { role: "assistant", content: "Hello" },
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello Jo" },
  ]);
  assert.equal(result?.usage.calls, 4);
});

test("run() keeps the agent's end reason when the agent ends the call on the caller's last line", async () => {
  const graph = parseGraph({
    entry_node_id: "bye",
    source_metadata: { begin_message: "" },
    nodes: { bye: { node_type: "end", state_prompt: "Say goodbye." } },
  });
  const models = { agent: scripted({}), caller: scripted({ caller: [{ message: "Bye", should_end: true }] }) };
  const report = await run(graph, [{ name: "persona", user_prompt: "You are Jo.", excludes: ["never said"] }], {
    models,
    store: false,
  });
  assert.equal(report.results[0]?.endReason, "agent_ended");
});

test("run() expands variables in a persona, but not in scripted lines", async () => {
  const models = { agent: scripted({}), caller: scripted({ caller: [{ message: "", should_end: true }] }) };
  const scenarios = [
    {
      name: "persona",
      user_prompt: "You are {{name}}, born {{never}}.",
      excludes: ["never said"],
      dynamic_variables: { name: "Jo" },
    },
    { name: "script", says: ["I am {{name}}"], excludes: ["never said"], dynamic_variables: { name: "Jo" } },
  ];
  const report = await run(CHAT, scenarios, { models, store: false });
  assert.equal(models.caller.calls[0]?.input.persona, "You are Jo, born {{never}}.");
  assert.equal(report.results[1]?.transcript[1]?.content, "I am {{name}}");
});

test("run() fails a call whose turn times out, even if a tool ignores its signal", async () => {
  const time = new TestClock();
  const report = await run(TOOL, [{ name: "slow", says: ["Hi"], calls: [{ tool: "wait" }] }], {
    models: { agent: scripted({}) },
    store: false,
    limits: { turnTimeoutMs: 1_000 },
    clock: { startCall: () => createCallClock(time) },
    tools: {
      wait: () => {
        setImmediate(() => time.advance(1_000));
        return new Promise(() => {});
      },
    },
  });
  const [result] = report.results;
  assert.equal(result?.endReason, "turn_timeout");
  assert.equal(result?.status, "fail");
  assert.match(result?.checks[0]?.reason ?? "", /a turn took longer than 1000 ms/);
});

test("run() reports an error, not a failure, for a model that never answers", async () => {
  const time = new TestClock();
  const doGenerate = () => {
    setImmediate(() => time.advance(2_000));
    return new Promise<never>(() => {});
  };
  const agent = { ...scripted({}), doGenerate };
  const scenarios = [
    { name: "hanging", says: ["Hi"], excludes: ["never said"] },
    { name: "expected", says: ["Hi"], ends: "turn_timeout" as const },
  ];
  const report = await run(CHAT, scenarios, {
    models: { agent },
    store: false,
    // the calls share the time
    limits: { turnTimeoutMs: 2_000, concurrency: 1 },
    clock: { startCall: () => createCallClock(time) },
  });
  assert.deepEqual(
    report.results.map(({ endReason, status }) => ({ endReason, status })),
    [
      { endReason: "turn_timeout", status: "error" },
      { endReason: "turn_timeout", status: "pass" },
    ],
  );
  assert.match(report.results[0]?.errorMessage ?? "", /the model did not answer within the 2000 ms of a turn/);
});

test("run() fails a call that exceeds its budget or loops", async () => {
  const spent = await run(CHAT, [{ name: "dear", says: ["Hi", "Hi"], excludes: ["never said"] }], {
    models: { agent: scripted({}) },
    store: false,
    limits: { budget: { call: { modelCalls: 1 } } },
  });
  assert.equal(spent.results[0]?.endReason, "budget_exceeded");
  assert.equal(spent.results[0]?.status, "fail");

  const circle = parseGraph({
    entry_node_id: "a",
    nodes: {
      a: { node_type: "logic", transitions: [{ target_node_id: "b", condition: { type: "always" } }] },
      b: { node_type: "logic", transitions: [{ target_node_id: "a", condition: { type: "always" } }] },
    },
  });
  const scenarios = [
    { name: "circle", says: ["Hi"], excludes: ["never said"] },
    { name: "known", says: ["Hi"], ends: "hop_limit" as const },
  ];
  const report = await run(circle, scenarios, { models: { agent: scripted({}) }, store: false });
  assert.deepEqual(
    report.results.map(({ endReason, status }) => ({ endReason, status })),
    [
      { endReason: "hop_limit", status: "fail" },
      { endReason: "hop_limit", status: "pass" },
    ],
  );
});
