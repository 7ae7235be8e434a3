import assert from "node:assert/strict";
import { env } from "node:process";
import { test } from "node:test";
import { connect, type PipecatOptions } from "../../../../api/connect.ts";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { connectTo } from "../../../../platforms/connections/mod.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { statuses } from "../../connections/_runs.ts";
import { type PipecatBotOptions, startPipecat } from "./_server.ts";

/** A bot takes no mocks, starts without variables, and names no nodes. */
const NOW: RunOptions = { store: false, connection: { unchecked: "report", allowRealTools: true } };
/** As long as a bot needs on a busy machine; it ends with the bot's hanging up. */
const HANG_UP: Partial<PipecatOptions> = { hangUpMs: 8_000 };

const bots: readonly PipecatBotOptions[] = [{}, { returns: "early" }, { greetsEarly: true }];
for (const bot of bots) {
  test(`the help desk's scenarios pass on a bot of Pipecat: ${JSON.stringify(bot)}`, async () => {
    await using server = await startPipecat(bot);
    const agent = connect.pipecat({ url: `${server.socketUrl}/ws`, transfers: ["transfer_call"], ...HANG_UP });
    const report = await run(agent, DESK_SCENARIOS, NOW);
    assert.deepEqual(
      statuses(report),
      DESK_SCENARIOS.map(() => "pass"),
    );
    const [first, , , , , last] = report.results;
    assert.deepEqual(
      first?.toolsCalled.map(({ name, arguments: args, result }) => [name, args, result]),
      [["look_up_order", { order_number: "A-1042" }, { status: "shipped", arrives: "Friday" }]],
    );
    const kinds = (result: typeof first | undefined) => [
      ...new Set(result?.connection?.notChecked?.map(({ kind }) => kind)),
    ];
    assert.deepEqual(kinds(first), ["visits", "extracts", "mocks"]);
    assert.ok(kinds(last).includes("variables"));
    assert.equal(first?.transcript[0]?.role, "assistant", "the opening");
    await server.gone();
  });
}

const late = scenario("late")
  .says("Where is my order?", "It is A-1042.")
  .includes("shipped")
  .calls("look_up_order", { order_number: "A-1042" });
const hi = scenario("hi").says("Where is my order?").includes("order number").excludes("sorry");

async function statusOf(options: PipecatBotOptions, given: Partial<PipecatOptions> = {}, turnTimeoutMs = 20_000) {
  await using server = await startPipecat(options);
  const agent = connect.pipecat({ url: `${server.socketUrl}/ws?token=marmalade-evening`, hangUpMs: 0, ...given });
  const report = await run(agent, [hi], { ...NOW, limits: { turnTimeoutMs } });
  await server.gone();
  assert.equal(JSON.stringify(report).includes("marmalade"), false);
  return { result: report.results[0], status: statuses(report)[0] ?? "", server };
}

test("a wrong reply fails, and so does a call that the bot does not end", async () => {
  await using server = await startPipecat();
  const agent = connect.pipecat({ url: `${server.socketUrl}/ws`, hangUpMs: 0 });
  const given = [
    late,
    scenario("wrong").says("Where is my order?").includes("birthday"),
    scenario("open").says("Where is my order?").ends("agent_ended"),
    scenario("tool").says("Where is my order?", "It is A-1042.").calls("look_up_order", { order_number: "B-1" }),
  ];
  const report = await run(agent, given, NOW);
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["pass", "fail", "fail", "fail"],
  );
});

test("a transfer is told from another end by the names of functions, and not checked without them", async () => {
  await using server = await startPipecat();
  const given = [
    scenario("repair")
      .says("My lamp is broken, I need a repair.", "It is still dark.")
      .ends("agent_transferred")
      .includes("lamp"),
  ];
  const url = `${server.socketUrl}/ws`;
  await assert.rejects(run(connect.pipecat({ url }), given, { store: false }), /does not say when the agent transfers/);
  const blind = await run(connect.pipecat({ url, ...HANG_UP }), given, NOW);
  assert.deepEqual(statuses(blind), ["pass"]);
  assert.deepEqual(
    blind.results[0]?.connection?.notChecked?.map(({ expected }) => expected),
    ["agent_transferred"],
  );
  const other = await run(connect.pipecat({ url, transfers: ["other"], ...HANG_UP }), given, NOW);
  assert.match(statuses(other)[0] ?? "", /^fail: ends agent_transferred/);
});

test("the answer after a function belongs to its turn, however fast the function returns", async () => {
  for (const returns of ["early", "late"] as const) {
    await using server = await startPipecat({ returns });
    const agent = connect.pipecat({ url: `${server.socketUrl}/ws`, hangUpMs: 0 });
    assert.deepEqual(statuses(await run(agent, [late], NOW)), ["pass"], returns);
  }
});

test("the first messages are those of an eval in text, and the last one ends the bot's session", async () => {
  const { server } = await statusOf({});
  const said = server.received.map((message) => JSON.parse(JSON.stringify(message)));
  const short = said.map(({ type, data }) => (type === "client-message" ? data.t : type));
  assert.deepEqual(short, ["eval-connect", "client-ready", "eval-configure", "send-text", "eval-cancel"]);
  assert.deepEqual(said[0].data.d, { skip_tts: true, capture_bot_audio: false });
  assert.deepEqual(said[2].data.d, { function_call_report_level: { "*": "full" } });
  assert.equal(server.taken[0]?.url, "/ws?token=marmalade-evening&skip_tts=true");
  await server.gone();
});

test("a bot that does not speak first is called with opening: false", async () => {
  assert.equal((await statusOf({ opens: false }, { opening: false })).status, "pass");
  assert.match((await statusOf({ opens: false }, {}, 300)).status, /\(silence\)/);
});

const message = (type: string, data: object = {}) => ({ label: "rtvi-ai", type, data });
const answer = (text: string) => [
  message("bot-llm-started"),
  message("bot-llm-text", { text }),
  message("bot-llm-stopped"),
];

test("what a bot says between turns is no reply", async () => {
  const still = answer("Are you there?");
  const reply = answer("Your order number?");
  const between: readonly PipecatBotOptions[] = [
    { instead: (turn) => (turn === 0 ? [...answer("Hello."), ...still] : reply) },
    { before: still, instead: (turn) => (turn === 0 ? answer("Hello.") : reply) },
  ];
  for (const options of between) {
    const { result } = await statusOf(options);
    assert.equal(result?.status, "pass");
    const words = result?.transcript.map(({ content }) => content) ?? [];
    assert.deepEqual(new Set(words), new Set(["Hello.", "Where is my order?", "Are you there?", "Your order number?"]));
    assert.equal(words.at(-1), "Your order number?");
  }
});

test("a turn waits for all functions, and for the answer after them", async () => {
  const call = (id: string) => [
    message("llm-function-call-started", { function_name: "look" }),
    message("llm-function-call-in-progress", { tool_call_id: id, function_name: "look", arguments: { id } }),
  ];
  const stop = (id: string, more: object = { cancelled: false, result: id }) =>
    message("llm-function-call-stopped", { tool_call_id: id, function_name: "look", ...more });
  const turn = [
    message("bot-llm-started"),
    message("bot-llm-text", { text: "One moment." }),
    ...call("a"),
    ...call("b"),
    message("bot-llm-stopped"),
    stop("b", { cancelled: true, result: null }),
    ...answer("Still looking."),
    stop("a"),
    ...answer("Your order number?"),
  ];
  const { result } = await statusOf({ instead: (number) => (number === 1 ? turn : undefined) });
  assert.equal(result?.status, "pass");
  assert.deepEqual(
    result?.transcript.slice(2).map(({ content }) => content),
    [
      "One moment.",
      'look({"id":"b"}) failed: cancelled',
      "Still looking.",
      'look({"id":"a"}) succeeded: a',
      "Your order number?",
    ],
  );
});

const FAULTS: readonly (readonly [name: string, PipecatBotOptions, kind: RegExp])[] = [
  ["403", { refuse: () => ({ status: 403, json: {} }) }, /\(key\)/],
  ["500", { refuse: () => ({ status: 500, json: {} }) }, /\(unreachable\)/],
  [
    "no functions' names",
    {
      names: false,
      instead: (turn) =>
        turn === 1
          ? [message("bot-llm-started"), message("llm-function-call-in-progress", { tool_call_id: "a" })]
          : undefined,
    },
    /\(vendor\).*without naming/,
  ],
  [
    "a close with a code",
    { fault: (text) => (text.includes("user-llm-text") ? { close: 1011 } : undefined) },
    /\(vendor\)/,
  ],
  ["a break", { fault: (text) => (text.includes("user-llm-text") ? "break" : undefined) }, /\(ended-early\)/],
  ["half a message", { fault: (text) => (text.includes("user-llm-text") ? "half" : undefined) }, /\(vendor\)/],
  [
    "a close before it is ready",
    { fault: (text) => (text.includes("bot-ready") ? { close: 1000 } : undefined) },
    /\(vendor\).*before it was ready/,
  ],
  [
    "a fatal error",
    {
      instead: (turn) =>
        turn === 1 ? [message("error", { error: "no credit at the model", fatal: true })] : undefined,
    },
    /\(vendor\).*no credit at the model/,
  ],
  [
    "an error in place of words",
    {
      instead: (turn) =>
        turn === 1
          ? [
              message("bot-llm-started"),
              message("error", { error: "no model", fatal: false }),
              message("bot-llm-stopped"),
            ]
          : undefined,
    },
    /\(vendor\).*no model/,
  ],
  [
    "a refused message",
    { instead: (turn) => (turn === 1 ? [message("error-response", { error: "Unsupported type" })] : undefined) },
    /\(refused\).*Unsupported type/,
  ],
  [
    "a text that is none",
    { instead: (turn) => (turn === 1 ? [message("bot-llm-text", { text: 1 })] : undefined) },
    /\(vendor\)/,
  ],
  [
    "a return of no call",
    { instead: (turn) => (turn === 1 ? [message("llm-function-call-stopped", { tool_call_id: "x" })] : undefined) },
    /\(vendor\)/,
  ],
];

for (const [name, options, kind] of FAULTS) {
  test(`a fault is an error of its kind, and no verdict: ${name}`, async () => {
    const { status, server } = await statusOf(options);
    assert.match(status, /^error/, name);
    assert.match(status, kind, name);
    await server.gone();
  });
}

test("a turn that does not end is silence within its limit", async () => {
  const never: PipecatBotOptions = { fault: (text) => (text.includes("user-llm-text") ? "stall" : undefined) };
  assert.match((await statusOf(never, {}, 500)).status, /^error.*\(silence\)/);
});

test("a bot that hangs up without a word has ended the call", async () => {
  await using server = await startPipecat({
    fault: (text) => (text.includes("user-llm-text") ? { close: 1000 } : undefined),
  });
  const agent = connectTo("pipecat", { id: `${server.socketUrl}/ws` });
  assert.match(agent.name, /^pipecat:127\.0\.0\.1:\d+$/);
  const given = [scenario("ends").says("Where is my order?").ends("agent_ended")];
  assert.deepEqual(statuses(await run(agent, given, NOW)), ["pass"]);
});

test("a key is in the handshake, and not in errors", async () => {
  env.CALLWEAVE_TEST_BOT = "harbour-in-the-evening";
  const keyVariable = "CALLWEAVE_TEST_BOT";
  const refuse: PipecatBotOptions["refuse"] = () => ({ status: 401, json: {} });
  const { server, status } = await statusOf({ refuse }, { keyVariable });
  assert.equal(server.taken[0]?.headers.authorization, "Bearer harbour-in-the-evening");
  assert.match(status, /\(key\)/);
  assert.equal(status.includes("harbour"), false);
});

test("wrong options are refused", () => {
  const wrong: readonly unknown[] = [
    {},
    { url: "http://127.0.0.1" },
    { url: "ws://a:b@h/" },
    { url: "ws://h", hangUpMs: 9_000 },
  ];
  for (const options of wrong) {
    assert.throws(() => Reflect.apply(connect.pipecat, undefined, [options]), { code: "invalid-option" });
  }
});
