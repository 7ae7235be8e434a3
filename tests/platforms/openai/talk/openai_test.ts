import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, type OpenAIOptions } from "../../../../api/connect.ts";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { connectTo } from "../../../../platforms/connections/mod.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { KEY, keyed, statuses } from "../../connections/_runs.ts";
import { type OpenAIServerOptions, startOpenAI } from "./_server.ts";

const NOW: RunOptions = { store: false, connection: { unchecked: "report" } };
const TOOLS = ["look_up_order", "end_call", "transfer_call"].map((name) => ({
  type: "function",
  name,
  parameters: { type: "object", properties: {} },
}));

function deskOf(url: string, more: Partial<OpenAIOptions> = {}) {
  return connect.openai({
    model: "gpt-realtime",
    baseUrl: `${url}/v1`,
    instructions: "You are a help desk. The order's number: {{order_number}}",
    tools: TOOLS,
    opening: true,
    ends: ["end_call"],
    transfers: ["transfer_call"],
    ...more,
  });
}

for (const options of [{}, { items: "alone" }] as const) {
  test(`the help desk's scenarios pass on a session of OpenAI: ${JSON.stringify(options)}`, async () => {
    await using server = await startOpenAI(options);
    using _ = keyed("openai");
    const report = await run(deskOf(server.url), DESK_SCENARIOS, NOW);
    assert.deepEqual(
      statuses(report),
      DESK_SCENARIOS.map(() => "pass"),
    );
    const [first] = report.results;
    assert.deepEqual([...new Set(first?.connection?.notChecked?.map(({ kind }) => kind))], ["visits", "extracts"]);
    assert.match(first?.connection?.callId ?? "", /^sess_\d$/);
    assert.equal(first?.connection?.costUsd, undefined, "its price is not known");
    assert.deepEqual(
      first?.toolsCalled.map(({ name, arguments: args, mocked }) => [name, args, mocked]),
      [
        ["look_up_order", { order_number: "A-1042" }, true],
        ["end_call", {}, false],
      ],
    );
    await server.gone();
    assert.equal(server.taken[0]?.url, "/v1/realtime?model=gpt-realtime");
    assert.equal(server.taken[0]?.headers.authorization, `Bearer ${KEY}`);
    assert.equal(JSON.stringify(report).includes(KEY), false);
  });
}

const late = (name = "late") => scenario(name).says("Where is my order?", "It is A-1042.").includes("shipped");
const ask = (name = "asks") => scenario(name).says("Where is my order?").includes("order number").excludes("sorry");
const FOUND = { output: { status: "shipped", arrives: "Friday" } };

test("the session is the agent: its settings, text alone, and the instructions with variables", async () => {
  await using server = await startOpenAI();
  using _ = keyed("openai");
  const agent = deskOf(server.url, { session: { max_output_tokens: 500, output_modalities: ["audio"] } });
  await run(agent, [ask().variables({ order_number: "A-1042" }).mock("look_up_order", FOUND)], NOW);
  const [update] = server.received.map((message) => JSON.parse(JSON.stringify(message)));
  assert.deepEqual(update, {
    type: "session.update",
    session: {
      type: "realtime",
      max_output_tokens: 500,
      output_modalities: ["text"],
      instructions: "You are a help desk. The order's number: A-1042",
      tools: TOOLS,
    },
  });
});

test("the cost of a call is known with a price, if every response says what it used", async () => {
  const costOf = async (options: OpenAIServerOptions, more: Partial<OpenAIOptions>) => {
    await using server = await startOpenAI(options);
    using _ = keyed("openai");
    const { results } = await run(deskOf(server.url, more), [late().mock("look_up_order", FOUND)], NOW);
    assert.equal(results[0]?.status, "pass");
    return results[0]?.connection?.costUsd;
  };
  const price = { input: 4, output: 16 };
  // an opening, a reply, and a reply after a function
  assert.equal(await costOf({}, { price }), (4 * 400 + 16 * 40) / 1_000_000);
  assert.equal(await costOf({ usage: false }, { price }), undefined);
});

test("a function without a mock fails, and wrong expectations fail", async () => {
  await using server = await startOpenAI();
  using _ = keyed("openai");
  const { results } = await run(deskOf(server.url), [late()], NOW);
  const [call] = results[0]?.toolsCalled ?? [];
  assert.deepEqual([call?.outcome, call?.result, call?.mocked], ["failed", 'tool "look_up_order" has no mock', false]);
  const wrong = [
    ask("words").includes("birthday"),
    late("tool").mock("look_up_order", FOUND).calls("look_up_order", { order_number: "B-1" }),
    ask("end").ends("agent_ended"),
  ];
  const report = await run(deskOf(server.url), wrong, NOW);
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["fail", "fail", "fail"],
  );
});

const error = (of: object) => [
  { type: "error", error: { type: "invalid_request_error", message: `no ${KEY}`, ...of } },
];
const done = (response: object) => [{ type: "response.done", response }];
const inTurn = (messages: readonly object[]): OpenAIServerOptions => ({
  instead: (number) => (number === 2 ? messages : undefined),
});
const inReply = (fault: NonNullable<OpenAIServerOptions["fault"]> extends (...args: never) => infer F ? F : never) => ({
  fault: (text: string) => (text.includes("resp_2") && text.includes("response.done") ? fault : undefined),
});

const FAULTS: readonly (readonly [name: string, OpenAIServerOptions, kind: RegExp])[] = [
  ["401", { refuse: () => ({ status: 401, json: {} }) }, /\(key\)/],
  ["404", { refuse: () => ({ status: 404, json: {} }) }, /\(unknown-agent\)/],
  ["an invalid key", inTurn(error({ code: "invalid_api_key" })), /\(key\)/],
  ["no credit", inTurn(error({ code: "insufficient_quota" })), /\(payment\)/],
  ["no such model", inTurn(error({ code: "model_not_found" })), /\(unknown-agent\)/],
  ["too many requests", inTurn(error({ code: "rate_limit_exceeded" })), /\(throttled\)/],
  ["a refused message", inTurn(error({})), /\(refused\)/],
  ["an error of the server", inTurn(error({ type: "server_error" })), /\(vendor\)/],
  [
    "a failed response",
    inTurn(done({ status: "failed", status_details: { error: { code: "insufficient_quota" } } })),
    /\(payment\)/,
  ],
  [
    "a response that is cut off",
    inTurn(done({ status: "incomplete", status_details: { reason: "content_filter" } })),
    /\(vendor\).*content_filter/,
  ],
  [
    "a function with half of its arguments",
    inTurn(done({ status: "completed", output: [{ type: "function_call", name: "a", call_id: "b", arguments: "{" }] })),
    /\(vendor\)/,
  ],
  ["a close", inReply({ close: 1000 }), /\(ended-early\)/],
  ["a close with a code", inReply({ close: 1011 }), /\(vendor\)/],
  ["a break", inReply("break"), /\(ended-early\)/],
  ["half a message", inReply("half"), /\(vendor\)/],
];

for (const [name, options, kind] of FAULTS) {
  test(`a fault is an error of its kind, and no verdict: ${name}`, async () => {
    await using server = await startOpenAI(options);
    using _ = keyed("openai");
    const report = await run(deskOf(server.url), [ask()], NOW);
    const [status = ""] = statuses(report);
    assert.match(status, /^error/, name);
    assert.match(status, kind, name);
    assert.equal(JSON.stringify(report).includes(KEY), false, name);
    await server.gone();
  });
}

test("a response that does not come is silence; a model that only calls functions is the vendor's fault", async () => {
  await using stalled = await startOpenAI(inReply("stall"));
  using _ = keyed("openai");
  const silent = await run(deskOf(stalled.url), [ask()], { ...NOW, limits: { turnTimeoutMs: 500 } });
  assert.match(statuses(silent)[0] ?? "", /^error.*\(silence\)/);
  const call = { type: "function_call", name: "look_up_order", call_id: "c", arguments: "{}" };
  await using calling = await startOpenAI({ instead: () => done({ status: "completed", output: [call] }) });
  const looped = await run(deskOf(calling.url), [ask()], NOW);
  assert.match(statuses(looped)[0] ?? "", /\(vendor\).*only calls functions, 20 times/);
});

test("a reference has the model alone, and what it cannot report is refused", async () => {
  await using server = await startOpenAI();
  using _ = keyed("openai");
  const agent = connectTo("openai", { id: "gpt-realtime", baseUrl: `${server.url}/v1` });
  assert.equal(agent.name, "openai:gpt-realtime");
  assert.deepEqual(statuses(await run(agent, [ask()], { store: false })), ["pass"]);
  for (const [given, lack] of [
    [ask().ends("agent_ended"), /endSignal/],
    [ask().ends("agent_transferred"), /transferSignal/],
    [ask().mock("look_up_order", "x"), /mocks/],
    [ask().variables({ a: "b" }), /startVariables/],
  ] as const)
    await assert.rejects(run(agent, [given], { store: false }), lack);
});
