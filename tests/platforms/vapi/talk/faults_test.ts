import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { run, scenario } from "../../../../mod.ts";
import type { Answer } from "../../../call/connection/_server.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { KEY, keyed, statuses } from "../../connections/_runs.ts";
import { SQUAD_ID, startVapi } from "./_server.ts";

const LIVE = { store: false, connection: { graph: helpDesk, unchecked: "report", allowRealTools: true } } as const;

const call = (name: string, args: unknown = "{}") => ({
  role: "assistant",
  tool_calls: [{ id: "c", type: "function", function: { name, arguments: args } }],
});
const result = (content: string) => ({ role: "tool", tool_call_id: "c", content });
const chat = (...output: readonly object[]): Answer => ({ json: { id: "chat", output } });
const says = (content: string) => ({ role: "assistant", content });

/** The session is the second request, after the look-up of the squad. */
const squadWith = (answer: Answer) => startVapi({ instead: ({ url }) => (url === "/chat" ? answer : undefined) });

const FAULTS: readonly (readonly [name: string, kind: string, Answer, state?: RegExp])[] = [
  ["400", "refused", { status: 400, json: { message: `bad ${KEY}` } }],
  ["401", "key", { status: 401, json: {} }],
  ["402", "payment", { status: 402, json: {} }],
  ["500", "vendor", { status: 500, json: {} }],
  ["half a JSON", "vendor", { text: '{"id":"chat","output":[{"role":"assis' }],
  ["no id", "vendor", { json: { output: [says("Hi")] } }, /no id of the chat/],
  ["no output", "vendor", { json: { id: "chat" } }, /no output/],
  ["an empty output", "vendor", chat(), /no output/],
  ["a list as content", "vendor", chat({ role: "assistant", content: [] })],
  ["another role", "vendor", chat({ role: "tool_calls", toolCalls: [] }), /a message of "tool_calls"/],
  ["arguments that are no JSON", "vendor", chat(call("look_up_order", "{order")), /a tool call that cannot be read/],
  ["a handoff to nobody", "vendor", chat(call("handoff_to_nobody")), /to an assistant that the squad does not have/],
  ["close without an answer", "(?:ended-early|unreachable)", (response) => void response.destroy()],
];

for (const [name, kind, answer, state = /./] of FAULTS) {
  test(`a fault of a chat is an error of its kind, is not sent again, and shows no key: ${name}`, async () => {
    await using server = await squadWith(answer);
    using _ = keyed("vapi");
    const report = await run(
      connect.vapi({ squadId: SQUAD_ID, baseUrl: server.url }),
      DESK_SCENARIOS.slice(0, 1),
      LIVE,
    );
    const [first = ""] = statuses(report);
    assert.match(first, new RegExp(`^error: Cannot talk to "vapi:${SQUAD_ID}" \\(${kind}\\)`));
    assert.match(first, state);
    assert.equal(server.taken.filter(({ url }) => url === "/chat").length, 1);
    assert.ok(!JSON.stringify(report).includes(KEY));
  });
}

test("a handoff or an end that was refused changes nothing", async () => {
  await using server = await squadWith(
    chat(
      call("to_manager"),
      result("Tool call rejected by its conditions."),
      says("No."),
      call("endCall"),
      result("Error: rejected"),
    ),
  );
  using _ = keyed("vapi");
  const stays = scenario("stays", helpDesk)
    .says("A manager!", "Please!")
    .visits("welcome")
    .avoids("manager")
    .includes("No.");
  const { results } = await run(connect.vapi({ squadId: SQUAD_ID, baseUrl: server.url }), [stays], LIVE);
  assert.equal(results[0]?.status, "pass", results[0]?.errorMessage ?? "");
  assert.equal(results[0]?.turnCount, 2);
  assert.deepEqual(
    results[0]?.toolsCalled.slice(0, 2).map((each) => each.outcome),
    ["failed", "failed"],
  );
});

test("the name of a message's speaker is followed, if it is a member's", async () => {
  await using server = await squadWith(chat({ ...says("I am the manager."), name: "manager" }));
  using _ = keyed("vapi");
  const asks = scenario("asks", helpDesk).says("A manager!").visits("welcome", "manager");
  const report = await run(connect.vapi({ squadId: SQUAD_ID, baseUrl: server.url }), [asks], LIVE);
  assert.deepEqual(statuses(report), ["pass"]);
});

test("a squad that starts again in each chat is an error, and the other way to join chats works", async () => {
  const again = DESK_SCENARIOS.slice(1, 2);
  for (const [keeps, other] of [
    ["session", "previous-chat"],
    ["previous-chat", "session"],
  ] as const) {
    await using server = await startVapi({ keeps });
    using _ = keyed("vapi");
    const agent = { squadId: SQUAD_ID, baseUrl: server.url };
    assert.deepEqual(statuses(await run(connect.vapi({ ...agent, context: keeps }), again, LIVE)), ["pass"]);
    const [lost = ""] = statuses(await run(connect.vapi({ ...agent, context: other }), again, LIVE));
    assert.match(lost, /^error: .*\(vendor\).*does not keep the member of the squad between chats/);
  }
});

test("a chat that does not answer is silence within the limit of a turn", async () => {
  await using server = await squadWith(() => {});
  using _ = keyed("vapi");
  const agent = connect.vapi({ squadId: SQUAD_ID, baseUrl: server.url });
  const [silent = ""] = statuses(
    await run(agent, DESK_SCENARIOS.slice(0, 1), { ...LIVE, limits: { turnTimeoutMs: 300 } }),
  );
  assert.match(silent, /^error: .*\(silence\)/);
});

test("a throttled chat is sent again, and nothing else is", async () => {
  let refused = 0;
  await using server = await startVapi({
    instead: ({ url }) =>
      url === "/chat" && refused++ < 2 ? { status: 429, json: {}, headers: { "retry-after": "0" } } : undefined,
  });
  using _ = keyed("vapi");
  const report = await run(connect.vapi({ squadId: SQUAD_ID, baseUrl: server.url }), DESK_SCENARIOS.slice(0, 1), LIVE);
  assert.deepEqual(statuses(report), ["pass"]);
  assert.equal(server.taken.filter(({ url }) => url === "/chat").length, 5);
});
