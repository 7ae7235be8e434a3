import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pullCalls } from "../../../../api/calls.ts";
import { openStore } from "../../../../mod.ts";
import { isRecordedCall } from "../../../../src/run/calls/mod.ts";
import { callsOf, readAll } from "../../../run/calls/_read.ts";
import { elevenLabsAnswers, elevenLabsCall, startPlatform } from "../../../run/calls/pull/_platforms.ts";

const AT = Date.parse("2026-05-20T12:00:00Z");

const metadata = (node: string) => ({ agent_id: "agent_1", workflow_node_id: node });

/** A conversation with a workflow: a tool node, an update of a variable, and an end. */
const CONVERSATION = {
  conversation_id: "conv_1",
  agent_id: "agent_1",
  status: "done",
  version_id: "agtvrsn_3",
  transcript: [
    { role: "agent", message: "Clinic, hello.", time_in_call_secs: 0, agent_metadata: metadata("greet") },
    { role: "user", message: "I need a doctor.", time_in_call_secs: 3 },
    {
      role: "agent",
      message: null,
      time_in_call_secs: 4,
      agent_metadata: metadata("greet"),
      tool_calls: [{ type: "workflow", request_id: "r0", tool_name: "notify_condition_1_met", params_as_json: "{}" }],
      tool_results: [
        {
          request_id: "r0",
          tool_name: "notify_condition_1_met",
          result: {
            steps: [
              {
                step_latency_secs: 1,
                node_id: "look_up",
                requests: [
                  { type: "webhook", request_id: "r1", tool_name: "find_slot", params_as_json: '{"day":"mon"}' },
                ],
                results: [
                  {
                    request_id: "r1",
                    tool_name: "find_slot",
                    result_value: '{"slot":"9:00"}',
                    is_error: false,
                    tool_latency_secs: 0.5,
                    dynamic_variable_updates: [{ variable_name: "slot", old_value: null, new_value: "9:00" }],
                  },
                ],
              },
              { type: "edge", edge_id: "e", target_node_id: "offer" },
            ],
          },
        },
      ],
    },
    { role: "agent", message: "Monday at nine?", time_in_call_secs: 6, agent_metadata: metadata("offer") },
    { role: "user", message: "Yes.", time_in_call_secs: 8 },
    {
      role: "agent",
      message: "Bye.",
      time_in_call_secs: 9,
      agent_metadata: metadata("offer"),
      tool_calls: [{ type: "system", request_id: "r2", tool_name: "end_call", params_as_json: '{"reason":"done"}' }],
      tool_results: [{ request_id: "r2", tool_name: "end_call", result_value: "ok", is_error: false }],
    },
  ],
  metadata: {
    start_time_unix_secs: AT / 1_000,
    call_duration_secs: 10,
    termination_reason: "end_call tool was called.",
  },
  analysis: { call_successful: "success" },
  conversation_initiation_client_data: { dynamic_variables: { name: "Ann" } },
};

test("a conversation has the workflow's nodes, the results of its tools, its variables and how it ended", async () => {
  const [call] = await callsOf(CONVERSATION);
  assert.ok(call);
  assert.equal(call.provenance.format, "elevenlabs");
  assert.equal(call.provenance.callId, "conv_1");
  assert.equal(call.durationMs, 10_000);
  assert.equal(call.endReason, "agent_ended");
  assert.deepEqual(call.nodesVisited, ["greet", "look_up", "offer"]);
  assert.deepEqual(call.variables, { name: "Ann", slot: "9:00" });
  assert.deepEqual(
    call.toolsCalled.map(({ name, arguments: args, result, outcome, durationMs, nodeId }) => ({
      name,
      args,
      result,
      outcome,
      durationMs,
      nodeId,
    })),
    [
      {
        name: "find_slot",
        args: { day: "mon" },
        result: { slot: "9:00" },
        outcome: "succeeded",
        durationMs: 500,
        nodeId: "look_up",
      },
      {
        name: "end_call",
        args: { reason: "done" },
        result: "ok",
        outcome: "succeeded",
        durationMs: 0,
        nodeId: "offer",
      },
    ],
  );
  assert.deepEqual(
    call.transcript.filter(({ role }) => role !== "tool").map(({ role, content }) => [role, content]),
    [
      ["assistant", "Clinic, hello."],
      ["user", "I need a doctor."],
      ["assistant", "Monday at nine?"],
      ["user", "Yes."],
      ["assistant", "Bye."],
    ],
  );
});

test("the event of the webhook has the conversation; one with the sound and a call that goes on are skipped", async () => {
  const events = [
    { type: "post_call_transcription", event_timestamp: 1, data: CONVERSATION },
    { type: "post_call_audio", event_timestamp: 1, data: { conversation_id: "conv_1", full_audio: "AAAA" } },
    { ...CONVERSATION, conversation_id: "conv_2", status: "processing" },
  ];
  const read = await readAll(JSON.stringify(events));
  assert.deepEqual(
    read.map((each) => (isRecordedCall(each) ? each.provenance.callId : each.problem)),
    ["conv_1", "skipped", "skipped"],
  );
});

test("pullCalls() reads conversations page by page, and a second pull asks for none again", async () => {
  const now = AT;
  const calls = Array.from({ length: 30 }, (_, index) => elevenLabsCall(index, now - (index + 1) * 600_000));
  await using platform = await startPlatform(elevenLabsAnswers(() => calls, 10));
  const folder = await mkdtemp(join(tmpdir(), "callweave-pull-"));
  const store = await openStore(`file:${join(folder, "results.db")}`);
  try {
    const options = {
      key: "key_0123456789abcdef",
      since: new Date(now - 86_400_000),
      store,
      state: join(folder, "pulls.json"),
      clock: { now: () => now, pause: async () => {}, after: () => () => {} },
      baseUrl: platform.url,
    };
    const first = await pullCalls("elevenlabs", options);
    assert.deepEqual([first.added, first.damaged, first.isComplete], [30, 0, true]);
    const asked = platform.asked.filter(({ path }) => path.endsWith("/conversations"));
    assert.equal(asked.length, 3);
    platform.asked.length = 0;
    const second = await pullCalls("elevenlabs", options);
    assert.equal(second.added, 0);
    assert.deepEqual(
      platform.asked.filter(({ path }) => !path.endsWith("/conversations")),
      [],
    );
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});
