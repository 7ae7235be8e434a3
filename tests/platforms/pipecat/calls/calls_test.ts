import assert from "node:assert/strict";
import { test } from "node:test";
import { pipecatCallReader } from "../../../../platforms/pipecat/calls/mod.ts";

const RECORD = {
  session_id: "s-1",
  transcript: [
    { role: "assistant", content: "What is your number?", timestamp: "2026-09-20T10:00:00.000+00:00", node: "greet" },
    { role: "user", content: "A-1042.", timestamp: "2026-09-20T10:00:04.500+00:00", user_id: "" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "look_up", arguments: '{"number":"A-1042"}' } }],
    },
    { role: "tool", tool_call_id: "c1", content: '{"status":"shipped"}' },
    { role: "assistant", content: "It is shipped.", timestamp: "2026-09-20T10:00:06+00:00", node: "tell" },
  ],
};

test("a transcript of Pipecat is read: words with their times, nodes, and tool calls with their results", () => {
  assert.ok(pipecatCallReader.isCall(RECORD));
  const call = pipecatCallReader.read(RECORD, { source: "calls.jsonl", position: 1, line: 1 });
  assert.equal(call.provenance.format, "pipecat");
  assert.equal(call.provenance.callId, "s-1");
  assert.equal(call.startedAt, "2026-09-20T10:00:00.000Z");
  assert.equal(call.durationMs, 6_000);
  assert.deepEqual(call.nodesVisited, ["greet", "tell"]);
  assert.deepEqual(
    call.transcript.filter(({ role }) => role !== "tool").map(({ role, content }) => [role, content]),
    [
      ["assistant", "What is your number?"],
      ["user", "A-1042."],
      ["assistant", "It is shipped."],
    ],
  );
  assert.deepEqual(
    call.toolsCalled.map(({ name, arguments: given, result, outcome }) => [name, given, result, outcome]),
    [["look_up", { number: "A-1042" }, { status: "shipped" }, "succeeded"]],
  );
});

test("transcripts of other platforms are not Pipecat's", () => {
  for (const transcript of [
    "Agent: Hello",
    [],
    [{ role: "agent", message: "Hello", time_in_call_secs: 0 }],
    [{ role: "user", content: "Hello" }],
    [{ role: "user", content: "Hello", timestamp: 12 }],
  ])
    assert.equal(pipecatCallReader.isCall({ transcript }), false, JSON.stringify(transcript));
});
