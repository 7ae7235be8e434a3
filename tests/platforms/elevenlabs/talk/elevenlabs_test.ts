import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { connect, type ElevenLabsOptions } from "../../../../api/connect.ts";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { connectTo } from "../../../../platforms/connections/mod.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { KEY, keyed, statuses } from "../../connections/_runs.ts";
import {
  AGENT_ID,
  type ElevenLabsServerOptions,
  SHIPPED_MOCK,
  SIGNATURE,
  startElevenLabs,
  VERSION,
} from "./_server.ts";

const NOW: RunOptions = { store: false };
const FAST: Partial<ElevenLabsOptions> = { settleMs: 50 };

const READINGS: readonly ElevenLabsServerOptions[] = [
  {},
  { parts: "after", filler: "One moment." },
  { parts: "only", processing: 2 },
  { parts: "none", filler: "One moment.", completes: true, processing: 0 },
  { tellsTools: false },
];
for (const reading of READINGS) {
  test(`the help desk's scenarios pass on an agent of ElevenLabs: ${JSON.stringify(reading)}`, async () => {
    await using server = await startElevenLabs(reading);
    using _ = keyed("elevenlabs");
    const agent = connect.elevenlabs({ agentId: AGENT_ID, baseUrl: server.url, ...FAST });
    const report = await run(agent, DESK_SCENARIOS, NOW);
    assert.deepEqual(
      statuses(report),
      DESK_SCENARIOS.map(() => "pass"),
    );
    const [first] = report.results;
    const { agent: name, ...facts } = first?.connection ?? { agent: "" };
    assert.equal(name, `elevenlabs:${AGENT_ID}`);
    assert.match(facts.callId ?? "", /^conv_\d$/);
    assert.equal(facts.version, VERSION);
    assert.equal(facts.costUsd, 0.004);
    assert.equal(facts.endReason, "end_call tool was called");
    assert.deepEqual(
      first?.toolsCalled.map(({ name, arguments: args, mocked, durationMs }) => [name, args, mocked, durationMs]),
      [["look_up_order", { order_number: "A-1042" }, true, 250]],
    );
    assert.equal(JSON.stringify(report).includes(SIGNATURE), false);
    assert.equal(JSON.stringify(report).includes(KEY), false);
    await server.gone();
  });
}

const ask = (name = "asks") => scenario(name).says("Where is my order?").includes("order number").excludes("sorry");
const late = (name = "late") => scenario(name).says("Where is my order?", "It is A-1042.").includes("shipped");

async function resultOf(
  options: ElevenLabsServerOptions,
  given: Partial<ElevenLabsOptions> = {},
  more: RunOptions = {},
) {
  await using server = await startElevenLabs(options);
  using _ = keyed("elevenlabs");
  const agent = connect.elevenlabs({ agentId: AGENT_ID, baseUrl: server.url, ...FAST, ...given });
  const report = await run(agent, [ask()], { ...NOW, ...more });
  await server.gone();
  assert.equal(JSON.stringify(report).includes(SIGNATURE), false);
  assert.equal(JSON.stringify(report).includes(KEY), false);
  return { result: report.results[0], status: statuses(report)[0] ?? "", report, server };
}

test("the first message asks for text, mocks all tools and has the variables; pings are answered", async () => {
  await using server = await startElevenLabs();
  using _ = keyed("elevenlabs");
  const agent = connect.elevenlabs({
    agentId: AGENT_ID,
    baseUrl: server.url,
    environment: "staging",
    branchId: "b1",
    ...FAST,
  });
  await run(agent, [ask().variables({ caller: "Ada" })], NOW);
  const [start, ...rest] = server.received.map((message) => JSON.parse(JSON.stringify(message)));
  assert.deepEqual(start, {
    type: "conversation_initiation_client_data",
    conversation_config_override: { conversation: { text_only: true } },
    dynamic_variables: { caller: "Ada" },
    tool_mock_config: { mocking_strategy: "all", fallback_strategy: "raise_error" },
  });
  assert.deepEqual(
    rest.map(({ type, event_id: id }) => [type, id]),
    [
      ["pong", 0],
      ["user_message", undefined],
      ["pong", 1],
    ],
  );
  const signed = server.taken.find(({ url }) => url.includes("get-signed-url"));
  assert.equal(signed?.headers["xi-api-key"], KEY);
  assert.match(signed?.url ?? "", /agent_id=agent_1&branch_id=b1&version_id=agtvrsn_7&environment=staging$/);
  const handshake = server.taken.find(({ headers }) => headers.upgrade);
  assert.equal(handshake?.headers["sec-websocket-protocol"], "convai");
});

test("an agent that was deployed to a branch is called on this branch, in the version of the apply", async () => {
  await using server = await startElevenLabs();
  using _ = keyed("elevenlabs");
  const deployed = { id: `${AGENT_ID}@b1`, version: VERSION, baseUrl: server.url, env: process.env };
  await run(connectTo("elevenlabs", deployed), [ask()], NOW);
  const urls = server.taken.map(({ url }) => url);
  const signed = urls.find((url) => url.includes("get-signed-url"));
  assert.match(signed ?? "", new RegExp(`agent_id=${AGENT_ID}&branch_id=b1&version_id=${VERSION}$`));
  const looked = urls.find((url) => url.includes(`/agents/${AGENT_ID}?`));
  assert.match(looked ?? "", new RegExp(`version_id=${VERSION}&branch_id=b1$`));
});

test("a wrong reply, path, tool or value fails", async () => {
  await using server = await startElevenLabs();
  using _ = keyed("elevenlabs");
  const agent = connect.elevenlabs({ agentId: AGENT_ID, baseUrl: server.url, ...FAST });
  const given = [
    ask("words").includes("birthday"),
    ask("path").visits("technician"),
    late("tool").calls("look_up_order", { order_number: "B-1" }),
    ask("variable").extracts({ topic: "repair" }),
    ask("end").ends("agent_ended"),
  ];
  const report = await run(agent, given, NOW);
  assert.deepEqual(
    report.results.map(({ status }) => status),
    given.map(() => "fail"),
    statuses(report).join("\n"),
  );
});

test("a client's tool without a mock fails, and the agent hears why", async () => {
  await using server = await startElevenLabs();
  using _ = keyed("elevenlabs");
  const agent = connect.elevenlabs({ agentId: AGENT_ID, baseUrl: server.url, ...FAST });
  const { results } = await run(agent, [late()], NOW);
  const [call] = results[0]?.toolsCalled ?? [];
  assert.deepEqual([call?.outcome, call?.result, call?.mocked], ["failed", 'tool "look_up_order" has no mock', false]);
});

test("a tool of the platform answers with its stored mock; a scenario's mock must be the same", async () => {
  await using server = await startElevenLabs({ tool: "webhook", responseMocks: [SHIPPED_MOCK], filler: "One moment." });
  using _ = keyed("elevenlabs");
  const agent = connect.elevenlabs({ agentId: AGENT_ID, baseUrl: server.url, ...FAST });
  const same = { args: { order_number: "A-1042" }, output: { arrives: "Friday", status: "shipped" } };
  const found = () => late().calls("look_up_order", { order_number: "A-1042" }).includes("Friday");
  const report = await run(agent, [found().mock("look_up_order", same), ask()], NOW);
  assert.deepEqual(statuses(report), ["pass", "pass"]);
  const [call] = report.results[0]?.toolsCalled ?? [];
  assert.deepEqual([call?.mocked, call?.result], [true, { status: "shipped", arrives: "Friday" }]);
  const others: readonly object[] = [
    { ...same, output: "lost" },
    { ...same, args: { order_number: "B-1" } },
    { ...same, fails: true },
    { ...same, times: 1 },
    { output: same.output },
  ];
  for (const other of others) {
    const given = found().mock("look_up_order", other);
    const words = /answers on ElevenLabs with .*shipped.*not what the scenario has/;
    await assert.rejects(run(agent, [given], NOW), words, JSON.stringify(other));
  }
  const two = found().mock("look_up_order", same).mock("look_up_order", same);
  await assert.rejects(run(agent, [two], NOW), /not what the scenario has/);
  const before = server.received.length;
  const real = await run(agent, [found().mock("look_up_order", same)], {
    ...NOW,
    connection: { allowRealTools: true },
  });
  assert.deepEqual(statuses(real), ["pass"]);
  const start = JSON.parse(JSON.stringify(server.received[before]));
  assert.deepEqual(start.tool_mock_config, {
    mocking_strategy: "selected",
    mocked_tool_names: ["look_up_order"],
    fallback_strategy: "call_real_tool",
  });
});

test("a tool of the platform without a mock fails, and is no reason to refuse a run", async () => {
  await using server = await startElevenLabs({ tool: "webhook" });
  using _ = keyed("elevenlabs");
  const agent = connect.elevenlabs({ agentId: AGENT_ID, baseUrl: server.url, ...FAST });
  const { results } = await run(agent, [late()], NOW);
  assert.deepEqual(results[0]?.toolsCalled[0]?.outcome, "failed");
  assert.equal(results[0]?.toolsCalled[0]?.mocked, false);
  await assert.rejects(run(agent, [late().mock("look_up_order", "shipped")], NOW), /has no mock on ElevenLabs/);
});

test("a turn is open while a tool runs, and until words follow, however long that takes", async () => {
  for (const tool of ["client", "webhook"] as const) {
    await using server = await startElevenLabs({
      tool,
      responseMocks: [SHIPPED_MOCK],
      filler: "One moment.",
      toolMs: 200,
    });
    using _ = keyed("elevenlabs");
    const agent = connect.elevenlabs({ agentId: AGENT_ID, baseUrl: server.url, settleMs: 1 });
    const given = late().mock("look_up_order", { args: { order_number: "A-1042" }, output: SHIPPED_MOCK.mock_result });
    assert.deepEqual(statuses(await run(agent, [given], NOW)), ["pass"], tool);
  }
});

test("a record that stays in processing is used if it has all that the caller said, else it is an error", async () => {
  assert.equal((await resultOf({ processing: 1_000 }, { recordMs: 300 })).status, "pass");
  const cut = (record: { readonly transcript?: unknown }) => ({ ...record, transcript: [] });
  const { status } = await resultOf({ processing: 1_000, record: cut }, { recordMs: 300 });
  assert.match(status, /\(vendor\).*not complete after 300 ms: it is "?processing/);
});

test("words that come before the caller's are no reply, and a reply in two parts is one turn", async () => {
  const says = (agent_response: string, event_id: number) => ({
    type: "agent_response",
    agent_response_event: { agent_response, event_id },
  });
  const tool = { tool_name: "look", tool_call_id: "t", tool_type: "webhook", event_id: 3 };
  const { result } = await resultOf({
    instead: (turn) =>
      turn === 0
        ? [says("Hello.", 1), says("How can I help?", 2)]
        : [
            says("One moment.", 3),
            { type: "agent_tool_request", agent_tool_request: tool },
            { type: "agent_tool_response", agent_tool_response: { ...tool, is_error: false, is_called: true } },
            says("Your order number?", 4),
          ],
    record: (record) => ({
      ...record,
      transcript: [{ role: "agent", agent_metadata: { workflow_node_id: "begin" } }],
      conversation_initiation_client_data: { dynamic_variables: {} },
    }),
  });
  assert.equal(result?.status, "pass");
  assert.deepEqual(
    result?.transcript.filter(({ role }) => role !== "tool").map(({ content }) => content),
    ["Hello.", "How can I help?", "Where is my order?", "One moment.", "Your order number?"],
  );
});

test("a version that cannot be called by its id is left out, unless it was asked for", async () => {
  const picky: ElevenLabsServerOptions = {
    answer: (pathname, { url }) =>
      pathname.includes("get-signed-url") && url.includes("version_id") ? { status: 400, json: {} } : undefined,
  };
  assert.equal((await resultOf(picky)).status, "pass");
  assert.match((await resultOf(picky, { version: "agtvrsn_6" })).status, /\(refused\)/);
});

const HIDDEN: ElevenLabsServerOptions = {
  answer: (pathname) => (pathname.includes("/agents/") ? { status: 404, json: { detail: "no" } } : undefined),
};

test("without a look-up the call is the same, and mocks are refused", async () => {
  assert.equal((await resultOf(HIDDEN)).status, "pass");
  await using server = await startElevenLabs(HIDDEN);
  using _ = keyed("elevenlabs");
  const agent = connectTo("elevenlabs", { id: AGENT_ID, baseUrl: server.url });
  await assert.rejects(run(agent, [late().mock("look_up_order", "shipped")], NOW), /needs mocks for mocks/);
});

test("a public agent needs no key, and reports its words alone", async () => {
  await using server = await startElevenLabs();
  const agent = connect.elevenlabs({ agentId: AGENT_ID, isPublic: true, baseUrl: server.url, ...FAST });
  const report = await run(agent, [ask()], NOW);
  assert.deepEqual(statuses(report), ["pass"]);
  assert.deepEqual(
    server.taken.map(({ url }) => url),
    [`/v1/convai/conversation?agent_id=${AGENT_ID}`],
  );
  await assert.rejects(run(agent, [ask().visits("begin")], NOW), /does not name the node/);
  await assert.rejects(run(agent, [late().mock("look_up_order", "x")], NOW), /needs mocks/);
});
