import assert from "node:assert/strict";
import { test } from "node:test";
import { blandCallReader } from "../../../../platforms/bland/calls/mod.ts";
import { NotACallError } from "../../../../platforms/reading/mod.ts";
import { SYSTEM_CLOCK } from "../../../../src/base/values/mod.ts";

const PLACE = { source: "calls.json", position: 1, line: null };
const at = (second: number) => `2026-03-01T10:00:${String(second).padStart(2, "0")}.000000+00:00`;
const CALL = {
  call_id: "c-1",
  pathway_id: "p-1",
  created_at: at(0),
  started_at: at(1),
  completed: true,
  queue_status: "complete",
  corrected_duration: "42",
  call_length: 0.7,
  call_ended_by: "ASSISTANT",
  transferred_to: null,
  request_data: { phone_number: "+15550100", request_data: { customer: "Ada" } },
  variables: { plate: "B 123", call_id: "c-1" },
  pathway_logs: [
    { chosen_node_id: "greet", created_at: at(1), role: "assistant" },
    { role: "user", text: "hello", created_at: at(4) },
    { node_id: "plate", decision: "Caller wants a car", created_at: at(5) },
    { node_id: "plate", created_at: at(6) },
  ],
  transcripts: [
    { id: 2, user: "user", text: "I want a car.", created_at: at(4) },
    { id: 1, user: "assistant", text: "Welcome.", created_at: at(2) },
    { id: 3, user: "assistant", text: "Which plate?", created_at: at(6) },
    { id: 4, user: "agent-action", text: "Ended call: Goodbye.", created_at: at(9) },
  ].sort((a, b) => a.id - b.id),
};

test("a call is read with its path, variables and end", () => {
  assert.ok(blandCallReader.isCall(CALL));
  const call = blandCallReader.read(CALL, PLACE);
  assert.deepEqual(call.nodesVisited, ["greet", "plate"]);
  assert.deepEqual(
    call.transcript.map(({ role, content, node_id }) => `${node_id} ${role}: ${content}`),
    [
      "greet assistant: Welcome.",
      "greet user: I want a car.",
      "greet tool: greet -> plate: Caller wants a car",
      "plate assistant: Which plate?",
      "plate system: Ended call: Goodbye.",
    ],
  );
  assert.deepEqual(
    [call.endReason, call.durationMs, call.startedAt],
    ["agent_ended", 42_000, "2026-03-01T10:00:01.000Z"],
  );
  assert.deepEqual([call.startVariables, call.variables.plate], [{ customer: "Ada" }, "B 123"]);
  assert.deepEqual([call.provenance.callId, call.provenance.agentId], ["c-1", "p-1"]);
});

test("a call without phrases is read from its whole text, and one with an older key from its id", () => {
  const { transcripts: _, pathway_logs: __, call_id: id, ...rest } = CALL;
  const old = { ...rest, c_id: id, concatenated_transcript: "user: Hey. \n assistant: Hello!" };
  assert.ok(blandCallReader.isCall(old));
  const call = blandCallReader.read(old, PLACE);
  assert.deepEqual(
    call.transcript.map(({ role, content }) => [role, content]),
    [
      ["user", "Hey."],
      ["assistant", "Hello!"],
    ],
  );
});

test("a transfer, the caller's end and an open call are told apart", () => {
  assert.equal(blandCallReader.read({ ...CALL, transferred_to: "+15550111" }, PLACE).endReason, "agent_transferred");
  assert.equal(blandCallReader.read({ ...CALL, call_ended_by: "USER" }, PLACE).endReason, "caller_ended");
  assert.equal(blandCallReader.read({ ...CALL, call_ended_by: null }, PLACE).endReason, undefined);
  const open = { ...CALL, completed: false, queue_status: "started" };
  assert.throws(() => blandCallReader.read(open, PLACE), NotACallError);
  assert.ok(!blandCallReader.isCall({ call_id: "c", call_status: "ended" }));
});

test("calls are listed page by page, and those of other days and pathways are left out", async () => {
  const day = Date.UTC(2026, 2, 1);
  const all = Array.from({ length: 230 }, (_, index) => ({
    call_id: `c-${index}`,
    created_at: new Date(day + (index - 10) * 3_600_000).toISOString(),
    completed: true,
    pathway_id: index % 2 === 0 ? "p-1" : "p-2",
  }));
  const asked: string[] = [];
  const send = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { url, headers } = new Request(input, init);
    asked.push(headers.get("authorization") ?? "");
    const { searchParams: query } = new URL(url);
    const first = Number(query.get("from"));
    const calls = all.slice(first, first + Number(query.get("limit")));
    return new Response(JSON.stringify({ count: calls.length, total_count: all.length, calls }));
  };
  const fetch = Object.assign(send, { preconnect: () => {} });
  const list = blandCallReader.list?.({
    key: "key-1",
    agentId: "p-1",
    fetch,
    clock: SYSTEM_CLOCK,
    signal: new AbortController().signal,
  });
  const found: string[] = [];
  let reached = 0;
  for await (const { calls, read } of list?.pages({ from: day, to: day + 86_400_000 }) ?? []) {
    found.push(...calls.map(({ id }) => id));
    reached = read.to;
  }
  assert.deepEqual(
    found,
    Array.from({ length: 12 }, (_, index) => `c-${10 + index * 2}`),
  );
  assert.equal(reached, day + 86_400_000);
  assert.deepEqual(asked, ["key-1", "key-1", "key-1"]);
});
