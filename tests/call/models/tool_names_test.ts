import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { conversation } from "../../../src/call/engine/mod.ts";
import { offeredNames } from "../../../src/call/models/text/messages.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { startChatServer } from "../../chat_server.ts";

test("tools keep names that providers accept, and otherwise get similar unique ones", () => {
  const names = ["book", "Book a slot", "Book_a_slot", "Book.a.slot", "預約", "x".repeat(80), "book"];
  const offered = offeredNames(names);
  assert.deepEqual([...offered.values()].slice(0, 5), ["book", "Book_a_slot_2", "Book_a_slot", "Book_a_slot_3", "_"]);
  assert.equal(new Set(offered.values()).size, 6);
  for (const name of offered.values()) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
});

test("a tool whose name the provider rejects is called and recorded under its own name", async () => {
  await using server = await startChatServer(({ messages }) =>
    messages.some(({ role }) => role === "tool")
      ? { say: "It is booked." }
      : { call: { name: "Book_a_slot", arguments: { day: "Monday" } } },
  );
  const node = { state_prompt: "Book.", tools: [{ name: "Book a slot", description: "", parameters: {} }] };
  const graph = parseGraph({ nodes: { a: node }, entry_node_id: "a", source_metadata: {} });
  const agent = createOpenAI({ baseURL: server.url, apiKey: "none" }).chat("m");
  const call = conversation(graph, { models: { agent }, tools: { "Book a slot": () => "done" } });
  const turn = await call.open();
  assert.deepEqual(turn.spoken, ["It is booked."]);
  assert.deepEqual(
    call.toolsCalled.map(({ name, outcome }) => [name, outcome]),
    [["Book a slot", "succeeded"]],
  );
  assert.doesNotMatch(JSON.stringify(server.requests), /"name":"Book a slot"/);
  assert.equal(server.requests[0]?.messages.find(({ role }) => role !== "system")?.role, "user");
});
