import assert from "node:assert/strict";
import { test } from "node:test";
import { livekitCallReader } from "../../../../platforms/livekit/calls/mod.ts";
import type { JsonObject } from "../../../../src/base/values/mod.ts";
import { loadReaders, readersOf } from "../../../../src/run/calls/read/recognise.ts";

const PLACE = { source: "report.json", position: 1, line: null };
const AT = 1_795_000_000;

/** A history as session reports have it. */
const ITEMS: readonly JsonObject[] = [
  { id: "1", type: "agent_handoff", old_agent_id: null, new_agent_id: "desk", created_at: AT },
  { id: "2", type: "agent_config_update", instructions: "You are the desk.", created_at: AT },
  {
    id: "3",
    type: "message",
    role: "assistant",
    content: ["Lamp shop, hello."],
    interrupted: false,
    created_at: AT + 1,
  },
  { id: "4", type: "message", role: "user", content: ["Where is A-1042?"], created_at: AT + 4 },
  {
    id: "5",
    type: "function_call",
    call_id: "c1",
    name: "look_up",
    arguments: '{"number":"A-1042"}',
    created_at: AT + 5,
  },
  {
    id: "6",
    type: "function_call_output",
    call_id: "c1",
    name: "look_up",
    output: '{"status":"sent"}',
    is_error: false,
    created_at: AT + 6,
  },
  {
    id: "7",
    type: "message",
    role: "assistant",
    content: ["It is sent, and"],
    interrupted: true,
    created_at: AT + 7,
    metrics: { e2e_latency: 0.8 },
  },
  {
    id: "8",
    type: "message",
    role: "user",
    content: ["The manager!", { type: "audio_content", transcript: "Now." }],
    created_at: AT + 9,
  },
  { id: "9", type: "function_call", call_id: "c2", name: "to_manager", arguments: "{}", created_at: AT + 10 },
  {
    id: "10",
    type: "function_call_output",
    call_id: "c2",
    name: "to_manager",
    output: "no",
    is_error: true,
    created_at: AT + 10,
  },
  { id: "11", type: "agent_handoff", old_agent_id: "desk", new_agent_id: "manager", created_at: AT + 11 },
  { id: "12", type: "message", role: "system", content: ["Be kind."], created_at: AT + 11 },
];

const REPORT: JsonObject = {
  job_id: "AJ_1",
  room_id: "RM_1",
  room: "desk-1",
  events: [{ type: "agent_state_changed" }, { type: "close", reason: "participant_disconnected" }],
  options: { max_tool_steps: 3 },
  chat_history: { items: ITEMS },
  duration_ms: 15_500,
  agent_name: "help-desk",
  tags: [],
};

test("a session report is a call: words, tools, handoffs, times and how it ended", () => {
  assert.ok(livekitCallReader.isCall(REPORT));
  const call = livekitCallReader.read(REPORT, PLACE);
  assert.deepEqual(call.nodesVisited, ["desk", "manager"]);
  assert.deepEqual(
    call.transcript.filter(({ role }) => role !== "tool").map(({ role, content, node_id }) => [role, content, node_id]),
    [
      ["assistant", "Lamp shop, hello.", "desk"],
      ["user", "Where is A-1042?", "desk"],
      ["assistant", "It is sent, and", "desk"],
      ["user", "The manager!\nNow.", "desk"],
    ],
  );
  assert.deepEqual(
    call.toolsCalled.map(({ name, arguments: args, result, outcome, nodeId }) => [name, args, result, outcome, nodeId]),
    [
      ["look_up", { number: "A-1042" }, '{"status":"sent"}', "succeeded", "desk"],
      ["to_manager", {}, "no", "failed", "desk"],
    ],
  );
  assert.deepEqual(call.latency, [{ turn: 1, nodeId: "desk", firstWordMs: 800 }]);
  assert.deepEqual(
    [call.startedAt, call.durationMs, call.endReason],
    [new Date(AT * 1_000).toISOString(), 15_500, "caller_ended"],
  );
  const { format, callId, agentId, facts } = call.provenance;
  assert.deepEqual([format, callId, agentId, facts?.room], ["livekit", "AJ_1", "help-desk", "desk-1"]);
  assert.equal(call.transcript.find(({ content }) => content === "It is sent, and")?.metadata.cut, true);
});

test("a chat context of JavaScript, with other keys and milliseconds, is the same call", () => {
  const camel = (key: string) =>
    key === "arguments" ? "args" : key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const items = ITEMS.map((item) =>
    Object.fromEntries(
      Object.entries(item).map(([key, value]) => [camel(key), key === "created_at" ? Number(value) * 1_000 : value]),
    ),
  );
  const call = livekitCallReader.read({ items }, PLACE);
  const report = livekitCallReader.read(REPORT, PLACE);
  assert.deepEqual(call.transcript, report.transcript);
  assert.deepEqual(call.toolsCalled, report.toolsCalled);
  assert.deepEqual([call.durationMs, call.endReason, call.provenance.callId], [11_000, undefined, null]);
});

test("reasons of newer reports, and contexts without times, are read", () => {
  const read = (record: JsonObject) => livekitCallReader.read(record, PLACE);
  const reasons = ["CR_USER_INITIATED", "CR_COMPLETED", "CR_ERROR", "CR_JOB_SHUTDOWN", "CR_UNKNOWN"];
  assert.deepEqual(
    reasons.map((close_reason) => read({ ...REPORT, close_reason }).endReason),
    ["agent_ended", "agent_ended", "failed", "aborted", undefined],
  );
  const timeless = ITEMS.map(({ created_at: _, ...item }) => item);
  assert.deepEqual([read({ items: timeless }).startedAt, read({ items: timeless }).durationMs], [null, null]);
});

test("other records are no calls, and an empty history is skipped", async () => {
  for (const record of [
    {},
    { items: [] },
    { items: ["x"] },
    { items: [{ type: "row" }] },
    { items: [{ type: "message", role: "user" }] },
  ])
    assert.ok(!livekitCallReader.isCall(record), JSON.stringify(record));
  assert.throws(
    () => livekitCallReader.read({ ...REPORT, chat_history: { items: [] } }, PLACE),
    /its history has no items/,
  );
  const readers = await loadReaders(["livekit", "retell", "vapi"]);
  const calls = readersOf([REPORT, { items: ITEMS }], readers).map((read) => read(PLACE).provenance.format);
  assert.deepEqual(calls, ["livekit", "livekit"]);
});
