import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, type TwilioOptions } from "../../../../api/connect.ts";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { connectTo } from "../../../../platforms/connections/mod.ts";
import { twilioConnection } from "../../../../platforms/twilio/talk/bot.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { FAST } from "../../../call/voice/_fast_clock.ts";
import { hummingModels, tone } from "../../../call/voice/_tones.ts";
import { statuses } from "../../connections/_runs.ts";
import { startTwilio, type TwilioBotOptions } from "./_bot.ts";

const NOW: RunOptions = { store: false };
const HELLO = { acts: [{ sound: tone(440, 300) }] };
const MONDAY = { acts: [{ sound: tone(600, 300) }] };
const BYE = {
  acts: [
    { sound: tone(800, 300), mark: "end" },
    { afterMs: 400, close: "none" as const },
  ],
};

/** The bot sends a reply in one message, so that a short silence after it is the end of its turn on any machine. */
function agentAt(socketUrl: string, options: Partial<TwilioOptions> = {}) {
  const turns = { endMs: 100, giveUpMs: 60_000, ...options.turns };
  const url = `${socketUrl}/media`;
  return twilioConnection({ url, ...hummingModels(), hangUpMs: 0, ...options, turns }, { clock: FAST });
}

const asks = scenario("asks")
  .says("Where is it?", "Bye")
  .includes("how can I help", "It arrives on Monday.", "Goodbye!")
  .excludes("sorry")
  .answersWithin(15_000)
  .ends("agent_ended");

test("scenarios run by voice, with the expectations of text", async () => {
  await using server = await startTwilio({ replies: [HELLO, MONDAY, BYE] });
  const wrong = scenario("wrong").says("Hi").includes("on Tuesday");
  const short = scenario("short").says("Hi").includes("on Monday").ends("agent_ended");
  const [second, third] = statuses(await run(agentAt(server.socketUrl), [wrong, short], NOW));
  assert.match(second ?? "", /^fail: includes on Tuesday/);
  assert.match(third ?? "", /^fail: ends agent_ended/);
  // as long as the bot needs on a busy machine; it ends with the bot's hanging up
  const report = await run(agentAt(server.socketUrl, { hangUpMs: 8_000 }), [asks], NOW);
  assert.deepEqual(statuses(report), ["pass"]);
  const [result] = report.results;
  assert.deepEqual(
    result?.transcript.map(({ role, content }) => [role, content]),
    [
      ["assistant", "Hello, how can I help?"],
      ["user", "Where is it?"],
      ["assistant", "It arrives on Monday."],
      ["user", "Bye"],
      ["assistant", "Goodbye!"],
    ],
  );
  assert.deepEqual(
    result?.latency?.map(({ turn }) => turn),
    [0, 1, 2],
  );
  // what was planted, or more if the machine was busy; never less
  for (const { firstWordMs } of result?.latency ?? []) assert.ok((firstWordMs ?? 0) >= 290, `${firstWordMs}`);
  assert.match(result?.connection?.callId ?? "", /^CA/);
  await server.gone();
  assert.equal(server.bots.length, 3);
  for (const { messages } of server.bots.slice(0, 2)) assert.equal(messages.at(-1)?.event, "stop");
});

test("latencies of voice fail an expectation", async () => {
  await using server = await startTwilio({ replies: [HELLO, { ...MONDAY, afterMs: 900 }] });
  const slow = scenario("slow").says("Hi").answersWithin(600);
  assert.match(statuses(await run(agentAt(server.socketUrl), [slow], NOW))[0] ?? "", /^fail: latency within 600 ms/);
});

test("what voice does not report is refused by name, or listed as not checked", async () => {
  await using server = await startTwilio({ replies: [HELLO, MONDAY] });
  const agent = agentAt(server.socketUrl);
  const given = scenario("much")
    .says("Hi")
    .visits("greet")
    .calls("look_up")
    .extracts({ city: "Rome" })
    .variables({ name: "Ana" })
    .ends("agent_transferred")
    .includes("Monday");
  await assert.rejects(run(agent, [given], NOW), (error) => {
    assert.ok(isCallweaveError(error));
    const expected = ["visits", "calls", "extracts", "ends", "variables"];
    assert.deepEqual(
      error.issues.map(({ code, message }) => [code, / for (\w+) /.exec(message)?.[1]]),
      expected.map((kind) => ["missing-capability", kind]),
    );
    return true;
  });
  const report = await run(agent, [given], { ...NOW, connection: { unchecked: "report" } });
  assert.deepEqual(statuses(report), ["pass"]);
  assert.deepEqual(
    report.results[0]?.connection?.notChecked?.map(({ kind }) => kind),
    ["visits", "calls", "extracts", "ends", "variables"],
  );
  const mocked = scenario("mocked").says("Hi").mock("look_up", "{}").includes("Monday");
  await assert.rejects(run(agent, [mocked], NOW), /needs mocks for mocks "look_up"/);
});

test("custom parameters reach the bot, with variables if it reads them", async () => {
  await using server = await startTwilio({ replies: [HELLO, MONDAY] });
  const given = scenario("asks").says("Hi").variables({ name: "Ana", plan: "gold" }).includes("Monday");
  const customParameters = { tenant: "shop", plan: "none" };
  const agent = agentAt(server.socketUrl, { customParameters, startVariables: true, version: "7", name: "desk" });
  const report = await run(agent, [given], NOW);
  assert.deepEqual(statuses(report), ["pass"]);
  const start: unknown = server.bots[0]?.messages[1]?.start;
  assert.deepEqual(Reflect.get(Object(start), "customParameters"), { tenant: "shop", plan: "gold", name: "Ana" });
  const { agent: name, version } = report.results[0]?.connection ?? {};
  assert.deepEqual([name, version], ["desk", "7"]);
});

test("a bot that waits for the caller is called with opening: false", async () => {
  await using server = await startTwilio({ replies: [undefined, MONDAY] });
  const hi = scenario("hi").says("Hi").includes("Monday");
  assert.deepEqual(statuses(await run(agentAt(server.socketUrl, { opening: false }), [hi], NOW)), ["pass"]);
  const strict = agentAt(server.socketUrl, { turns: { giveUpMs: 100 } });
  assert.match(statuses(await run(strict, [hi], NOW))[0] ?? "", /^error: .*\(silence\): it said nothing for 100 ms/);
});

const FAULTS: readonly (readonly [name: string, bot: Partial<TwilioBotOptions>, error: RegExp])[] = [
  ["refuses the call", { refuse: () => ({ status: 403, json: {} }) }, /\(key\)/],
  ["is no socket", { refuse: () => ({ status: 200, json: {} }) }, /\(unreachable\)/],
  ["sends half a message", { fault: (_, number) => (number === 2 ? "half" : undefined) }, /\(vendor\).*no JSON/],
  ["sends bytes", { replies: [HELLO, { acts: [{ text: new Uint8Array(9) }] }] }, /\(vendor\)/],
  ["breaks", { fault: (_, number) => (number === 2 ? "break" : undefined) }, /\(ended-early\)/],
  ["closes with an error", { fault: (_, number) => (number === 2 ? { close: 1011 } : undefined) }, /\(vendor\).*1011/],
  ["stalls", { fault: (_, number) => (number === 2 ? "stall" : undefined) }, /\(silence\)/],
  [
    "hangs up in the middle of a word",
    { replies: [HELLO, { acts: [{ sound: tone(600, 30_000) }, { afterMs: 100, close: 1000 }] }] },
    /\(ended-early\)/,
  ],
];
for (const [name, bot, error] of FAULTS) {
  test(`a bot that ${name} is an error`, async () => {
    await using server = await startTwilio({ replies: [HELLO, MONDAY], ...bot });
    const given = scenario("hi").says("Hi").excludes("sorry");
    const turns = name === "stalls" ? { turns: { giveUpMs: 1_500 } } : {};
    const [status = ""] = statuses(await run(agentAt(server.socketUrl, turns), [given], NOW));
    assert.match(status, /^error: /);
    assert.match(status, error);
    await server.gone();
  });
}

test("a turn is limited by limits.turnTimeoutMs, too", async () => {
  await using server = await startTwilio({ replies: [{ afterMs: 3_600_000, acts: [] }] });
  const given = scenario("hi").says("Hi").excludes("sorry");
  const report = await run(agentAt(server.socketUrl), [given], { ...NOW, limits: { turnTimeoutMs: 300 } });
  assert.match(statuses(report)[0] ?? "", /\(silence\): it did not answer within the 300 ms of a turn/);
  await server.gone();
});

test("a speech model that fails is an error of the model, and not of the agent", async () => {
  await using server = await startTwilio({ replies: [HELLO, MONDAY] });
  const { speech, ...models } = hummingModels();
  const fails = { ...speech, doGenerate: () => Promise.reject(new Error("no voice")) };
  const [status = ""] = statuses(
    await run(
      agentAt(server.socketUrl, { ...models, speech: fails }),
      [scenario("hi").says("Hi").excludes("sorry")],
      NOW,
    ),
  );
  assert.match(status, /^error: Cannot finish "speech".*no voice/);
  await server.gone();
});

test("connect.twilio() refuses options that are wrong, each by its path", () => {
  const wrong: readonly (readonly [object, string])[] = [
    [{}, "url"],
    [{ url: "https://bot.example.com" }, "url"],
    [{ url: "wss://bot.example.com?key=1" }, "url"],
    [{ url: "wss://user:word@bot.example.com" }, "url"],
    [{ url: "wss://bot.example.com", customParameters: { a: 1 } }, "customParameters"],
    [{ url: "wss://bot.example.com", turns: { levelDb: 3 } }, "levelDb"],
    [{ url: "wss://bot.example.com", turns: { vad: "loud" } }, "vad"],
    [{ url: "wss://bot.example.com", turns: { end: 3 } }, "end"],
    [{ url: "wss://bot.example.com", hangUpMs: 9_000 }, "hangUpMs"],
    [{ url: "wss://bot.example.com", record: "" }, "record"],
    [{ url: "wss://bot.example.com", speech: 5 }, "speech"],
    [{ url: "wss://bot.example.com", keyVariable: "KEY" }, "keyVariable"],
  ];
  for (const [options, path] of wrong)
    assert.throws(
      () => Reflect.apply(connect.twilio, undefined, [options]),
      (error) => String(error).includes(path),
      JSON.stringify(options),
    );
});

test("a reference names the address of a bot", () => {
  const agent = connectTo("twilio", { id: "wss://bot.example.com/media" });
  assert.equal(agent.name, "twilio:bot.example.com");
  const { voice, text, opening, endSignal, transferSignal, mocks, toolArguments } = agent.capabilities;
  assert.deepEqual([voice, text, opening, endSignal], [true, false, true, true]);
  assert.deepEqual([transferSignal, mocks, toolArguments], [false, false, false]);
});

test("an unknown model is an error before the first call", async () => {
  await using server = await startTwilio({ replies: [HELLO] });
  const agent = agentAt(server.socketUrl, { transcription: "nobody/nothing" });
  await assert.rejects(run(agent, [scenario("hi").says("Hi").includes("a")], NOW), /nobody/i);
  assert.equal(server.taken.length, 0);
});
