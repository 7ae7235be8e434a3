import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedTools } from "../../../src/call/turn/mod.ts";
import { callOn, pick, to } from "./calls.ts";

const on = (value: string, outcome?: string) => ({ type: "tool_call", value, ...(outcome ? { outcome } : {}) });
const equation = { type: "equation", equations: [{ left: "vip", operator: "exists" }], logical_operator: "and" };
const calls = (...names: readonly string[]) => ({ toolCalls: names.map((name) => ({ name, arguments: {} })) });

/** A call at a node with tools whose reply calls some of them; returns the last move. */
async function moveAfter(names: readonly string[], ...transitions: readonly unknown[]) {
  const tools = ["find", "fail"].map((name) => ({ name, description: "", parameters: {} }));
  const nodes = { a: { state_prompt: "A", tools, transitions }, b: { state_prompt: "B" }, c: { state_prompt: "C" } };
  const respond = names.length > 0 ? [calls(...names), "Done."] : ["Done."];
  const implementations = { find: () => 1, fail: () => Promise.reject(new Error("down")) };
  const { call } = callOn(nodes, { respond }, { tools: implementations });
  const { messages } = await call.open();
  const {
    to: target,
    because,
    ways,
  } = messages.findLast(({ metadata }) => metadata.kind === "transition")?.metadata ?? {};
  return target === undefined ? undefined : [target, because, ways];
}

test("after a reply, the first transition of a tool that it called is taken, else `always`", async () => {
  const called = "a tool was called";
  const byTool = (index: number, target = "b") => [target, called, [{ transition: index }]];
  const always = ["c", "always, after speech", [{ transition: 1 }]];
  assert.deepEqual(await moveAfter(["find"], to("b", on("find")), to("c")), byTool(0));
  assert.deepEqual(await moveAfter(["find"], to("b", on("")), to("c")), byTool(0));
  assert.deepEqual(await moveAfter(["find"], to("b", on("fail")), to("c")), always);
  assert.deepEqual(await moveAfter(["find"], to("b", on("find", "failed")), to("c")), always);
  assert.deepEqual(await moveAfter(["fail"], to("b", on("", "succeeded")), to("c")), always);
  assert.deepEqual(await moveAfter(["fail"], to("c", on("find")), to("b", on("fail", "failed"))), byTool(1));
  assert.deepEqual(await moveAfter(["fail", "find"], to("b", on("find", "succeeded")), to("c")), byTool(0));
  assert.deepEqual(await moveAfter([], to("b", on("")), to("c")), always);
  assert.equal(await moveAfter([], to("b", on(""))), undefined);
});

test("a begin message is no reply: transitions of tools do not fire after it", async () => {
  const nodes = { a: { state_prompt: "A", transitions: [to("b", on(""))] }, b: { state_prompt: "B" } };
  const { call } = callOn(nodes, {}, { metadata: { begin_message: "Hello." } });
  assert.equal((await call.open()).nodeId, "a");
});

test("a node with a static text says it word for word once after each entry", async () => {
  const nodes = {
    a: { state_prompt: "A", transitions: [to("fixed", "Go")] },
    fixed: { instruction_type: "static_text", state_prompt: "Just so.", transitions: [to("a", "Back")] },
  };
  const transition = [pick("fixed"), pick("none"), pick("a"), pick("fixed")];
  const { call } = callOn(nodes, { transition, respond: ["One.", "Two.", "Three."] });
  await call.open();
  for (const _ of transition) await call.hear("Well.");
  const spoken = call.transcript.filter(({ role }) => role === "assistant").map(({ content }) => content);
  assert.deepEqual(spoken, ["One.", "Just so.", "Two.", "Three.", "Just so."]);
});

test("an end node with a prompt speaks, and one without is silent", async () => {
  for (const [prompt, spoken] of [
    ["Say goodbye.", ["Bye."]],
    ["", []],
  ] as const) {
    const { call } = callOn({ bye: { node_type: "end", state_prompt: prompt } }, { respond: ["Bye."] });
    const turn = await call.open();
    assert.deepEqual([turn.spoken, turn.ended, turn.endReason], [spoken, true, "agent_ended"]);
  }
});

test("nothing is recorded after a tool has ended the call", async () => {
  const bye = { name: "bye", description: "", type: "end_call" };
  const nodes = {
    a: { node_type: "function", tools: [bye], transitions: [to("b", equation)] },
    b: { state_prompt: "B" },
  };
  const { call } = callOn(nodes);
  const { messages } = await call.open();
  assert.deepEqual(
    [call.endReason, messages.map(({ content }) => content)],
    ["agent_ended", ["bye({}) succeeded: done"]],
  );
});

test("a transfer fails as recorded, else as mocked, and then takes its `failed` transition", async () => {
  const failed = { tool_name: "desk", input_match_rule: { type: "any" as const }, output: "busy", result: false };
  const nodes = {
    desk: { node_type: "transfer", transitions: [to("c", equation), to("b", on("", "failed"))] },
    b: { state_prompt: "B" },
    c: { state_prompt: "C" },
  };
  const end = async (
    mocks: readonly (typeof failed)[],
    recorded?: readonly ["succeeded" | "failed" | undefined, RecordedTools["unmatched"]],
  ) => {
    const [outcome, unmatched = "mocks"] = recorded ?? [];
    const recordedTools = { answer: () => undefined, transfer: () => outcome, unmatched };
    const { call } = callOn(nodes, {}, { mocks, ...(recorded ? { recordedTools } : {}) });
    const { messages, spoken } = await call.open();
    assert.equal(spoken.length, call.ended ? 0 : 1);
    const [{ metadata: { because, ways } = {} } = {}] = messages;
    return { at: call.endReason ?? call.nodesVisited.at(-1), ...(call.ended ? {} : { because, ways }) };
  };
  const transferred = { at: "agent_transferred" };
  const refused = { at: "b", because: "the transfer failed", ways: [{ transition: 1 }] };
  assert.deepEqual(await end([]), transferred);
  assert.deepEqual(await end([{ ...failed, result: true }]), transferred);
  assert.deepEqual(await end([failed]), refused);
  assert.deepEqual(await end([failed], ["succeeded", "mocks"]), transferred);
  assert.deepEqual(await end([], ["failed", "fail"]), refused);
  assert.deepEqual(await end([failed], [undefined, "fail"]), transferred);
  assert.deepEqual(await end([failed], [undefined, "mocks"]), refused);
  assert.deepEqual(await end([failed], [undefined, "run"]), refused);
});

test("a transfer that fails without a `failed` transition stays where it is", async () => {
  const failed = { tool_name: "desk", input_match_rule: { type: "any" as const }, output: "busy", result: false };
  const nodes = { a: { state_prompt: "A", transitions: [to("desk", "A human")] }, desk: { node_type: "transfer" } };
  const { call } = callOn(nodes, { transition: [pick("desk")] }, { mocks: [failed] });
  await call.open();
  const { nodeId, ended, messages } = await call.hear("A human");
  assert.deepEqual([nodeId, ended, messages.length], ["desk", false, 2]);
  const { because } = messages[1]?.metadata ?? {};
  assert.equal(because, "A human");
});
