import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, courseOf, readAll } from "../_read.ts";
import { retellCall, retellWebCall } from "../_retell.ts";

test("a call of Retell has its words, nodes, tools, variables, end and latency", async () => {
  const [call] = await callsOf(retellCall());
  assert.ok(call);
  assert.deepEqual(courseOf(call), [
    "node-1|assistant: Hello, this is Nova.",
    "node-1|user: Where is my order?",
    "node-1|tool: node-1 -> node-2: Retell's transition (normal)",
    'node-2|tool: find_order({"id":"41"}) failed: timeout',
    'node-2|tool: find_order({"id":"41"}) succeeded: {"city":"Berlin"}',
    "node-2|assistant: It is in Berlin.",
    "node-2|user: Thanks, bye.",
    "node-2|tool: node-2 -> node-3: Retell's transition (normal)",
    "node-3|assistant: Goodbye.",
  ]);
  assert.deepEqual(call.nodesVisited, ["node-1", "node-2", "node-3"]);
  assert.deepEqual(
    call.toolsCalled.map(({ name, arguments: args, result, outcome, nodeId }) => [name, args, result, outcome, nodeId]),
    [
      ["find_order", { id: "41" }, "timeout", "failed", "node-2"],
      ["find_order", { id: "41" }, { city: "Berlin" }, "succeeded", "node-2"],
    ],
  );
  assert.deepEqual(call.variables, { customer: "Ada", order_id: "41", is_late: "true" });
  assert.deepEqual(call.startVariables, { customer: "Ada" });
  assert.deepEqual(call.latency, [
    { turn: 1, nodeId: "node-2", firstWordMs: 1500 },
    { turn: 2, nodeId: "node-3", firstWordMs: 1300 },
  ]);
  const { endReason, startedAt, durationMs, provenance } = call;
  assert.deepEqual([endReason, startedAt, durationMs], ["agent_ended", "2026-01-05T09:30:00.000Z", 12_000]);
  const { format, callId, agentId, platformEndReason, facts } = provenance;
  assert.deepEqual([format, callId, agentId, platformEndReason], ["retell", "call_0a1", "agent_7", "agent_hangup"]);
  assert.deepEqual(facts?.call_analysis, { call_successful: true, user_sentiment: "Positive" });
  assert.equal(call.transcript[1]?.timestamp, "2026-01-05T09:30:02.000Z");
});

test("latency of a Retell call is the silence between words where Retell has no figure for each answer", async () => {
  const [call] = await callsOf({ ...retellCall(), latency: { e2e: { p50: 1400, values: [1500] } } });
  assert.deepEqual(
    call?.latency?.map(({ firstWordMs }) => firstWordMs),
    [2000, 1500],
  );
});

test("calls of Retell are found in arrays, list pages, webhook events and lists of events", async () => {
  const [a, b] = [retellCall("a"), retellCall("b")];
  const sources: readonly unknown[] = [
    [a, b],
    { items: [a, b], pagination_key: "b", has_more: false },
    { data: [a, b] },
    [
      { event: "call_ended", call: a },
      { event: "call_analyzed", call: b },
    ],
    { calls: [{ event: "call_ended", call: a }, b] },
  ];
  for (const source of sources) {
    const calls = await callsOf(source);
    assert.deepEqual(
      calls.map(({ provenance: { callId, position } }) => [callId, position]),
      [
        ["a", 1],
        ["b", 2],
      ],
    );
  }
});

test("events and calls that are not over are skipped, with the reason", async () => {
  const call = retellCall();
  const records = [
    { event: "call_started", call },
    { ...call, call_status: "ongoing" },
  ];
  assert.deepEqual(
    (await readAll(JSON.stringify(records))).map((read) => ("problem" in read ? [read.problem, read.reason] : [])),
    [
      ["skipped", 'event "call_started" does not end a call'],
      ["skipped", 'the call is not over: its status is "ongoing"'],
    ],
  );
});

test("a Retell call without nodes has its words; one without objects, the words of its transcript", async () => {
  const [web] = await callsOf(retellWebCall());
  assert.deepEqual(web && courseOf(web), ["|assistant: Hello.", "|user: Wrong number."]);
  assert.deepEqual([web?.nodesVisited, web?.endReason], [[], "caller_ended"]);
  const { transcript_object: _, ...rest } = retellWebCall();
  const [text] = await callsOf({ ...rest, transcript: "Agent: Hello.\nUser: Wrong number.\n" });
  assert.deepEqual(text && courseOf(text), ["|assistant: Hello.", "|user: Wrong number."]);
});

test("a call that was never answered is a call without words", async () => {
  const { transcript: _, transcript_object: __, transcript_with_tool_calls: ___, ...rest } = retellCall();
  const [call] = await callsOf({ ...rest, call_status: "not_connected", disconnection_reason: "dial_no_answer" });
  assert.deepEqual([call?.transcript, call?.endReason], [[], undefined]);
  assert.equal(call?.provenance.platformEndReason, "dial_no_answer");
});
