import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { conversation, importAgent, offline, type ScriptedQueues, scripted } from "../../../../mod.ts";
import { retellLlm } from "../../../../platforms/retell/llm/mod.ts";
import { CLINIC, SINGLE } from "./documents.ts";

const pick = (transition_to: string) => ({ objectives_complete: true, transition_to });

/** Simulates a call of an imported LLM with a scripted model. */
function callOn(document: object, queues: ScriptedQueues, failing: readonly string[] = []) {
  const agent = scripted(queues);
  const mocks = failing.map((tool_name) => ({
    tool_name,
    input_match_rule: { type: "any" as const },
    output: "busy",
    result: false,
  }));
  return { call: conversation(importAgent(document).graph, { models: { agent }, mocks }), agent };
}

test("a call of a single prompt sends the general prompt once, and ends by the tool's condition", async () => {
  const { call, agent } = callOn(SINGLE, { respond: ["Hello."], transition: [pick("end_call")] });
  await call.open();
  await call.hear("bye");
  assert.equal(call.endReason, "agent_ended");
  const [respond] = agent.calls.filter(({ signature }) => signature === "respond");
  assert.equal(JSON.stringify(respond?.input).split("You are the front desk.").length, 2);
  const [transition] = agent.calls.filter(({ signature }) => signature === "transition");
  assert.match(JSON.stringify(transition?.input), /Caller says bye/);
});

test("a call of several states reaches a general transfer from any state, and speaks its message verbatim", async () => {
  const { call } = callOn(CLINIC, { transition: [pick("questions"), pick("to_nurse")], respond: ["Which?"] });
  await call.open();
  await call.hear("a question");
  const turn = await call.hear("about my knee");
  assert.deepEqual(call.nodesVisited, ["greeting", "questions", "to_nurse"]);
  assert.deepEqual(turn.spoken, ["One moment, please."]);
  assert.equal(call.endReason, "agent_transferred");
});

test("a call of several states extracts an edge's parameters before the next state speaks", async () => {
  const queues = { transition: [pick("greeting_to_booking")], extract: [{ day: "Monday" }], respond: ["Booked."] };
  const { call } = callOn(CLINIC, queues);
  await call.open();
  await call.hear("Monday, please");
  assert.deepEqual(call.nodesVisited, ["greeting", "greeting_to_booking", "booking"]);
  assert.equal(call.variables.day, "Monday");
});

test("a call stays in its state if the transfer fails", async () => {
  const transfer = { type: "transfer_call", name: "desk", description: "Caller wants a human" };
  const llm = { general_prompt: "Help.", begin_message: "Hi.", general_tools: [transfer] };
  const { call } = callOn(llm, { transition: [pick("desk")], respond: ["Nobody is there."] }, ["desk"]);
  await call.open();
  const turn = await call.hear("a human");
  assert.deepEqual(call.nodesVisited, ["main", "desk", "main"]);
  assert.deepEqual(turn.spoken, ["Nobody is there."]);
  assert.equal(call.ended, false);
});

const CORPUS = ["retell", "voicetest/retell"].map(
  (name) => new URL(`../../../../../shared/corpus/${name}/`, import.meta.url),
);
const LINES = ["Hello", "I want to make an appointment", "My name is Jane", "Thank you, goodbye"];

test("third-party LLMs can be simulated offline", async (t) => {
  const folders = CORPUS.filter((folder) => existsSync(folder));
  if (folders.length === 0) return t.skip("shared/corpus is not here");
  for (const folder of folders)
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
      const document: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8").replace(/^\uFEFF/, ""));
      if ((retellLlm.detect?.(document) ?? 0) === 0) continue;
      const call = conversation(importAgent(document).graph, { models: { agent: offline() } });
      await call.open();
      for (const line of LINES) if (!call.ended) await call.hear(line);
      assert.notEqual(call.endReason, "failed", file);
    }
});
