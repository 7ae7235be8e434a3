import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pullCalls } from "../../../../api/calls.ts";
import { openStore } from "../../../../mod.ts";
import { callsOf, courseOf, readAll } from "../../../run/calls/_read.ts";
import { startPlatform } from "../../../run/calls/pull/_platforms.ts";

const START = Date.parse("2026-03-02T10:00:00Z");
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString();

/** A conversation in the form of the API, with its messages. */
function conversation(id = "conv_1", shift = 0) {
  return {
    id,
    name: "Order",
    created_at: at(shift),
    last_message_at: at(shift + 30),
    metadata: { assistant_id: "assistant-1", telnyx_agent_target: "+12025550199", channel: "phone_call" },
    messages: messages(shift),
  };
}

const messages = (shift: number) => [
  { role: "assistant", text: "Hello, this is Acme.", created_at: at(shift) },
  { role: "user", text: "Where is my order?", created_at: at(shift + 4) },
  {
    role: "assistant",
    text: "",
    tool_calls: [{ id: "t1", type: "function", function: { name: "find_order", arguments: '{"number":"7"}' } }],
    created_at: at(shift + 5),
  },
  { role: "tool", text: '{"city":"Berlin"}', tool_call_id: "t1", created_at: at(shift + 6) },
  { role: "assistant", text: "It is in Berlin.", created_at: at(shift + 7) },
  {
    role: "assistant",
    text: "",
    tool_calls: [{ id: "t2", type: "function", function: { name: "hangup", arguments: "" } }],
    created_at: at(shift + 9),
  },
];

test("a conversation with its messages is read as a call", async () => {
  const [call] = await callsOf(conversation());
  assert.ok(call);
  assert.deepEqual(courseOf(call), [
    "|assistant: Hello, this is Acme.",
    "|user: Where is my order?",
    '|tool: find_order({"number":"7"}) succeeded: {"city":"Berlin"}',
    "|assistant: It is in Berlin.",
    "|tool: hangup({}) succeeded: null",
  ]);
  const { provenance, startedAt, durationMs, endReason, startVariables } = call;
  assert.deepEqual([provenance.format, provenance.callId, provenance.agentId], ["telnyx", "conv_1", "assistant-1"]);
  assert.deepEqual([startedAt, durationMs, endReason], ["2026-03-02T10:00:00.000Z", 30_000, "agent_ended"]);
  assert.deepEqual(startVariables, { telnyx_agent_target: "+12025550199" });
});

test("messages that are listed newest first, and answers under data, are the same call", async () => {
  const { messages: listed, ...rest } = conversation();
  const [call] = await callsOf({ data: rest, messages: listed.toReversed() });
  const [plain] = await callsOf(conversation());
  assert.ok(call && plain);
  assert.deepEqual(courseOf(call), courseOf(plain));
});

test("results without an id belong to tool calls in their order", async () => {
  const call = (name: string) => ({ id: name, function: { name, arguments: {} } });
  const [read] = await callsOf({
    ...conversation(),
    messages: [
      { role: "assistant", text: "", tool_calls: [call("one"), call("two")] },
      { role: "tool", text: "first" },
      { role: "tool", text: "Error: second" },
    ],
  });
  assert.deepEqual(
    read?.toolsCalled.map(({ name, result, outcome }) => [name, result, outcome]),
    [
      ["one", "first", "succeeded"],
      ["two", "Error: second", "failed"],
    ],
  );
});

test("events of the webhook are skipped, because they have no messages", async () => {
  const event = { data: { event_type: "call.conversation.ended", payload: { conversation_id: "conv_1" } } };
  const [read] = await readAll(JSON.stringify(event));
  assert.ok(read && "problem" in read);
  assert.equal(read.problem, "skipped");
});

test("conversations are pulled with their messages, and those that may still run are left for later", async () => {
  const all = [conversation("conv_2", 60), conversation("conv_1", 0), conversation("conv_3", 86_000)];
  await using platform = await startPlatform(({ path, query }) => {
    const [, , , id = "", part] = path.split("/");
    const found = all.find((each) => each.id === id);
    if (found && part === "messages") return { data: found.messages, meta: { total_pages: 1 } };
    const { messages: _, ...bare } = found ?? conversation();
    if (found) return { data: bare };
    const end = Date.parse((query.get("created_at") ?? "").replace("lt.", ""));
    const listed = all.filter(({ created_at: created }) => Date.parse(created) < end);
    return { data: listed.map(({ messages: _, ...each }) => each) };
  });
  const folder = await mkdtemp(join(tmpdir(), "callweave-telnyx-"));
  const store = await openStore(`file:${join(folder, "results.db")}`);
  try {
    const clock = { now: () => START + 86_060_000, pause: async () => {}, after: () => () => {} };
    const pulled = await pullCalls("telnyx", {
      store,
      key: "key_0123456789abcdef",
      baseUrl: platform.url,
      since: new Date(START - 1_000),
      state: join(folder, "pulls.json"),
      clock,
    });
    assert.deepEqual([pulled.added, pulled.damaged], [2, 0]);
    assert.equal(platform.asked.filter(({ path }) => path.endsWith("/messages")).length, 2);
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});
