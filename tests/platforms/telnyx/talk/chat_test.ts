import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { type AgentConnection, isCallweaveError, run, scenario } from "../../../../mod.ts";
import { connectTo } from "../../../../platforms/connections/mod.ts";
import type { Answer } from "../../../call/connection/_server.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { KEY, keyed, statuses } from "../../connections/_runs.ts";
import { ASSISTANT_ID, startTelnyx, type TelnyxServerOptions, VERSION } from "./_server.ts";

const LIVE = { store: false, connection: { graph: helpDesk, unchecked: "report", allowRealTools: true } } as const;
const REAL = { store: false, connection: { allowRealTools: true } } as const;
/** One scenario expects only a path and an end. */
const WORDED = DESK_SCENARIOS.filter((_, at) => at !== 3);
const ORDER = WORDED.slice(0, 1);
const hi = scenario("hi").says("I want to return a lamp.").includes("30 days");

const READINGS: readonly TelnyxServerOptions[] = [
  {},
  { newestFirst: true, ids: true },
  { wrapped: true, pageSize: 2 },
  { newestFirst: true, pageSize: 3 },
  { late: 2 },
  { late: 1, greets: true, newestFirst: true },
  { hangsUp: false },
  { looksUp: false },
];

for (const reading of READINGS) {
  test(`the help desk's scenarios pass on Telnyx's chat, where ${JSON.stringify(reading)}`, async () => {
    await using server = await startTelnyx(reading);
    using _ = keyed("telnyx");
    const report = await run(connect.telnyx({ assistantId: ASSISTANT_ID, baseUrl: server.url }), WORDED, LIVE);
    assert.deepEqual(
      statuses(report),
      WORDED.map(() => "pass"),
    );
    const [order, again] = report.results;
    assert.deepEqual(
      order?.connection?.notChecked?.map(({ kind }) => kind),
      ["visits", "extracts", "extracts", "extracts", "ends", "mocks"],
    );
    const look = { name: "look_up_order", arguments: { order_number: "A-1042" } };
    assert.deepEqual(
      again?.toolsCalled
        .filter(({ name }) => name === "look_up_order")
        .map(({ arguments: args, outcome, result }) => ({ ...args, outcome, result })),
      [
        { order_number: "B-77", outcome: "failed", result: "Error: no such order" },
        { ...look.arguments, outcome: "succeeded", result: { status: "shipped", arrives: "Friday" } },
      ],
    );
    assert.match(order?.connection?.callId ?? "", /^conversation_/);
    if (reading.looksUp === false) return;
    assert.equal(order?.connection?.version, VERSION);
    assert.equal(order?.transcript[0]?.content, "Hello, this is Lumen. How can I help you?");
    assert.equal(order?.endReason, reading.hangsUp === false ? "caller_exhausted" : "agent_ended");
  });
}

test("wrong words and wrong arguments fail, and never pass", async () => {
  await using server = await startTelnyx({ words: (text) => text.replaceAll("shipped", "lost") });
  using _ = keyed("telnyx");
  const agent = connect.telnyx({ assistantId: ASSISTANT_ID, baseUrl: server.url });
  const other = scenario("calls for another order")
    .says("Where is order A-1042?")
    .calls("look_up_order", { order_number: "B" });
  const [words, call] = statuses(await run(agent, [...ORDER, other], LIVE));
  assert.match(words ?? "", /^fail: includes shipped/);
  assert.match(call ?? "", /^fail: calls/);
});

test("tools that run are listed by name, and the run is refused unless they may run", async () => {
  const assistant = { mcp_servers: [{ id: "m1" }], a2a_agents: [{ name: "billing" }] };
  await using server = await startTelnyx({ assistant });
  using _ = keyed("telnyx");
  const agent = connect.telnyx({ assistantId: ASSISTANT_ID, baseUrl: server.url });
  await assert.rejects(run(agent, [hi], { store: false }), (error) => {
    assert.ok(isCallweaveError(error));
    assert.equal(error.issues[0]?.code, "real-tools");
    assert.match(error.message, /would run: look_up_order, transfer, MCP server m1, agent billing/);
    return true;
  });
  assert.ok(server.taken.every(({ method }) => method === "GET"));
});

test("the greeting is the opening, unless a model or the caller speaks first", async () => {
  for (const greeting of ["", "<assistant-speaks-first-with-model-generated-message>", null]) {
    await using server = await startTelnyx({ assistant: { greeting } });
    using _ = keyed("telnyx");
    const { results } = await run(connectTo("telnyx", { id: ASSISTANT_ID, baseUrl: server.url }), [hi], REAL);
    assert.equal(results[0]?.status, "pass", results[0]?.errorMessage ?? "");
    assert.equal(results[0]?.transcript[0]?.role, "user");
  }
});

test("chats use the main version, so another one is refused", async () => {
  await using server = await startTelnyx();
  using _ = keyed("telnyx");
  const to = (version: string): AgentConnection =>
    connect.telnyx({ assistantId: ASSISTANT_ID, version, baseUrl: server.url });
  for (const version of [VERSION, "spring"])
    assert.equal((await run(to(version), [hi], REAL)).results[0]?.connection?.version, VERSION);
  await assert.rejects(
    run(to("autumn"), [hi], REAL),
    /its version is version-7, and calls cannot choose version autumn/,
  );
});

const FAULTS: readonly (readonly [name: string, place: "chat" | "messages" | "conversations", kind: string, Answer])[] =
  [
    ["400", "chat", "refused", { status: 400, json: { errors: [{ detail: `AI is disabled ${KEY}` }] } }],
    ["403", "chat", "key", { status: 403, json: {} }],
    ["402", "chat", "payment", { status: 402, json: {} }],
    ["404", "chat", "unknown-agent", { status: 404, json: {} }],
    ["500", "chat", "vendor", { status: 500, json: {} }],
    ["half a JSON", "chat", "vendor", { text: '{"content":"He' }],
    ["no content", "chat", "vendor", { json: {} }],
    ["close without an answer", "chat", "(?:ended-early|unreachable)", (response) => void response.destroy()],
    ["500", "messages", "vendor", { status: 500, json: {} }],
    ["no list", "messages", "vendor", { json: { data: null } }],
    ["a list without the reply", "messages", "vendor", { json: { data: [] } }],
    [
      "arguments that are no JSON",
      "messages",
      "vendor",
      {
        json: {
          data: [
            { role: "user", text: "Hi" },
            { role: "assistant", text: "Hi", tool_calls: [{ id: "c", function: { name: "x", arguments: "{x" } }] },
          ],
        },
      },
    ],
    ["no id", "conversations", "vendor", { json: {} }],
  ];

for (const [name, place, kind, answer] of FAULTS) {
  test(`a fault of ${place} is an error of its kind, no chat is sent again, and no key is shown: ${name}`, async () => {
    await using server = await startTelnyx({
      instead: ({ url }) => (url.split("?")[0]?.endsWith(place) ? answer : undefined),
    });
    using _ = keyed("telnyx");
    const report = await run(connect.telnyx({ assistantId: ASSISTANT_ID, baseUrl: server.url }), [hi], REAL);
    const [first = ""] = statuses(report);
    assert.match(first, new RegExp(`^error: Cannot talk to "telnyx:${ASSISTANT_ID}" \\(${kind}\\)`));
    assert.equal(server.taken.filter(({ url }) => url.endsWith("/chat")).length, place === "conversations" ? 0 : 1);
    assert.ok(!JSON.stringify(report).includes(KEY));
  });
}

test("a rejected key stops the run at the look-up", async () => {
  await using server = await startTelnyx({ instead: () => ({ status: 401, json: { errors: [{ title: KEY }] } }) });
  using _ = keyed("telnyx");
  const agent = connect.telnyx({ assistantId: ASSISTANT_ID, baseUrl: server.url });
  await assert.rejects(run(agent, [hi], REAL), (error) => {
    assert.ok(error instanceof Error);
    assert.match(error.message, /\(key\)/);
    assert.ok(!`${error.message} ${error.stack}`.includes(KEY));
    return true;
  });
  assert.equal(server.taken[0]?.headers.authorization, `Bearer ${KEY}`);
});

test("a chat that does not answer is silence, and a throttled one is sent again", async () => {
  let refused = 0;
  const throttled: Answer = { status: 429, json: {}, headers: { "retry-after": "0" } };
  await using slow = await startTelnyx({ instead: ({ url }) => (url.endsWith("/chat") ? () => {} : undefined) });
  await using busy = await startTelnyx({
    instead: ({ url }) => (url.endsWith("/chat") && refused++ < 2 ? throttled : undefined),
  });
  using _ = keyed("telnyx");
  const to = (baseUrl: string) => connect.telnyx({ assistantId: ASSISTANT_ID, baseUrl });
  const [silent = ""] = statuses(await run(to(slow.url), [hi], { ...REAL, limits: { turnTimeoutMs: 300 } }));
  assert.match(silent, /^error: .*\(silence\)/);
  assert.deepEqual(statuses(await run(to(busy.url), [hi], REAL)), ["pass"]);
  assert.equal(busy.taken.filter(({ url }) => url.endsWith("/chat")).length, 3);
});
