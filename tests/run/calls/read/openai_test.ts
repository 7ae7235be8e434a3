import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isRecordedCall, readCalls } from "../../../../src/run/calls/mod.ts";
import { callsOf, chunksOf, courseOf, readAll } from "../_read.ts";

const MESSAGES = [
  { role: "system", content: "You are helpful." },
  {
    role: "user",
    content: [
      { type: "text", text: "Where is " },
      { type: "text", text: "my order?" },
    ],
  },
  {
    role: "assistant",
    content: "One moment.",
    tool_calls: [
      { id: "t1", type: "function", function: { name: "find", arguments: '{"id":"41"}' } },
      { id: "t2", type: "function", function: { name: "find", arguments: "not JSON" } },
    ],
  },
  { role: "tool", tool_call_id: "t2", content: "Error: no id" },
  { role: "tool", tool_call_id: "t1", content: '{"city":"Berlin"}' },
  { role: "assistant", content: null, function_call: { name: "close", arguments: "{}" } },
  { role: "function", name: "close", content: "done" },
  { role: "assistant", content: "It is in Berlin." },
];

test("chat messages have their words and tools; results are found by their ids, instructions are left out", async () => {
  const [call] = await callsOf({ id: 7, created_at: 1_767_605_400, reward: 1, messages: MESSAGES });
  assert.deepEqual(call && courseOf(call), [
    "|user: Where is my order?",
    "|assistant: One moment.",
    '|tool: find({"id":"41"}) succeeded: {"city":"Berlin"}',
    '|tool: find({"arguments":"not JSON"}) failed: Error: no id',
    "|tool: close({}) succeeded: done",
    "|assistant: It is in Berlin.",
  ]);
  const { callId, facts } = call?.provenance ?? {};
  assert.deepEqual([callId, facts?.reward, call?.startedAt], ["7", 1, "2026-01-05T09:30:00.000Z"]);
});

test("a list of messages is one call, in a list it is one of several, and so is one that is longer than a line", async () => {
  assert.equal((await callsOf(MESSAGES)).length, 1);
  assert.equal((await callsOf([MESSAGES, { messages: MESSAGES }])).length, 2);
  const [call, ...others] = await callsOf(JSON.stringify(MESSAGES, null, 2));
  assert.equal(others.length, 0);
  assert.equal(call?.transcript.length, 6);
});

test("records that are no calls are damaged, with their place and what they are", async () => {
  const text = '{"messages":[]}\n7\n{"messages":[{"role":"system","content":"x"}]}\n[3]';
  assert.deepEqual(
    (await readAll(text)).map((read) => ("problem" in read ? `${read.line} ${read.position} ${read.reason}` : "")),
    [
      "1 1 it is not a call in a known format: its keys are messages",
      "2 2 the line is not JSON",
      "3 3 nobody says anything in it",
      "4 4 the line is not JSON",
    ],
  );
  const [wrong] = await readAll(JSON.stringify({ messages: MESSAGES }), { format: "retell" });
  assert.ok(wrong && "problem" in wrong);
  assert.equal(wrong.reason, 'it is not a call in the format "retell": its keys are messages');
});

test("wrong options and files that cannot be read are typed errors", async () => {
  const codeOf = async (calls: AsyncIterable<unknown>) => {
    try {
      for await (const _ of calls);
      return "none";
    } catch (error) {
      return error instanceof Error && "code" in error ? error.code : error;
    }
  };
  assert.equal(await codeOf(readCalls(join(import.meta.dirname, "none").split("\n"))), "unreadable-file");
  assert.equal(await codeOf(readCalls(chunksOf("", 1), JSON.parse('{"format":"csv"}'))), "invalid-option");
  assert.equal(await codeOf(readCalls(JSON.parse("[null]"))), "invalid-option");
});

const TAU = join(import.meta.dirname, "..", "..", "..", "..", "..", "shared", "data", "tau-bench-airline.json");

test("the 200 calls of tau-bench are read with their 1,164 tool calls", { skip: !existsSync(TAU) }, async () => {
  let [calls, tools, words] = [0, 0, 0];
  for await (const read of readCalls([TAU])) {
    assert.ok(isRecordedCall(read));
    calls++;
    tools += read.toolsCalled.length;
    words += read.transcript.filter(({ role }) => role === "user").length;
  }
  assert.deepEqual([calls, tools, words], [200, 1164, 1490]);
});
