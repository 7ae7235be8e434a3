import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { run, scenario } from "../../../../mod.ts";
import { keyed, statuses } from "../../connections/_runs.ts";
import { CHAT_AGENT_ID, startChats } from "./_chat.ts";

const REAL = { store: false, connection: { allowRealTools: true } } as const;
const finds = scenario("finds")
  .says("Where is my order?", "It is A-1042.", "No, that is all.")
  .visits("ask_number", "look_up", "tell_status", "goodbye")
  .calls("look_up_order", { order_number: "A-1042" })
  .includes("Friday")
  .ends("agent_ended");

test("a chat agent of Retell is called by chats, and every chat is ended", async () => {
  await using server = await startChats();
  using _key = keyed("retell");
  const agent = connect.retell({ agentId: CHAT_AGENT_ID, chat: true, baseUrl: server.url });
  const leaves = scenario("leaves").says("I want to return a lamp.").includes("30 days");
  const report = await run(agent, [finds, leaves], REAL);
  assert.deepEqual(statuses(report), ["pass", "pass"]);
  assert.equal(report.results[0]?.connection?.version, "7");
  assert.deepEqual(
    report.results[0]?.toolsCalled.map(({ name, result, mocked }) => [name, result, mocked]),
    [["look_up_order", { status: "shipped", arrives: "Friday" }, false]],
  );
  const ended = server.taken.filter(({ method, url }) => method === "PATCH" && url.startsWith("/end-chat/"));
  assert.deepEqual(ended.map(({ url }) => url).toSorted(), ["/end-chat/chat_1", "/end-chat/chat_2"]);
});

test("a chat agent whose tools may not run is refused by their names, before a chat", async () => {
  await using server = await startChats();
  using _key = keyed("retell");
  const agent = connect.retell({ agentId: CHAT_AGENT_ID, chat: true, baseUrl: server.url });
  await assert.rejects(run(agent, [scenario("hi").says("Hi").excludes("sorry")], { store: false }), {
    message: /cannot be mocked and would run: look_up_order/,
  });
  assert.ok(server.taken.every(({ url }) => !url.startsWith("/create-chat")));
});

test("an expectation of a variable is refused: chats tell them after the end", async () => {
  await using server = await startChats();
  using _key = keyed("retell");
  const agent = connect.retell({ agentId: CHAT_AGENT_ID, chat: true, baseUrl: server.url });
  const extracts = scenario("extracts").says("Where is my order?").extracts({ topic: "order" });
  await assert.rejects(run(agent, [extracts], REAL), { code: "missing-capability" });
});
