import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { type PipecatOptions, type PipecatParts, pipecatConnection } from "../../../../platforms/pipecat/talk/bot.ts";
import { ScenarioError } from "../../../../src/base/errors.ts";
import { RTC_CALLER } from "../../../call/rtc/_caller.ts";
import { FAST } from "../../../call/voice/_fast_clock.ts";
import { KEY, keyed, statuses } from "../../connections/_runs.ts";
import { startWebRtcBot, type WebRtcBotOptions } from "./_web_rtc_bot.ts";

const NOW: RunOptions = { store: false, connection: { unchecked: "report", allowRealTools: true } };
const asks = scenario("asks")
  .says("Where is my order?", "It is A-1042.", "No, that is all.")
  .calls("look_up_order", { order_number: "A-1042" })
  .includes("order number", "shipped")
  .ends("agent_ended");
const hi = scenario("hi").says("Where is my order?").includes("order number");

interface Asked {
  readonly given?: Partial<PipecatOptions>;
  readonly scenarios?: readonly ReturnType<typeof scenario>[];
  readonly options?: RunOptions;
  readonly parts?: PipecatParts;
}

async function runOn(bot: WebRtcBotOptions, { given, scenarios = [asks], options, parts }: Asked = {}) {
  await using server = await startWebRtcBot(bot);
  const made = { url: server.url, voice: RTC_CALLER, ...given };
  const report = await run(pipecatConnection(made, { clock: FAST, ...parts }), scenarios, { ...NOW, ...options });
  const { taken, messages } = server;
  return { report, taken, messages, status: statuses(report)[0] ?? "" };
}

/** Ways of a bot that change nothing for its caller. */
const USUAL: readonly (readonly [name: string, bot: WebRtcBotOptions])[] = [
  ["the usual one", {}],
  ["it leaves without a word", { leaves: "without a word" }],
  ["packets in the wrong order", { swaps: true }],
];
for (const [name, bot] of USUAL) {
  test(`a bot over WebRTC: ${name}`, { timeout: 60_000 }, async () => {
    const { report, status, messages } = await runOn(bot);
    assert.equal(status, "pass");
    const [result] = report.results;
    assert.ok(result?.connection?.notChecked?.some(({ kind }) => kind === "calls"));
    assert.match(messages[0] ?? "", /"client-ready"/);
  });
}

test("a caller who hangs up tells the bot, and is known to be there until then", { timeout: 60_000 }, async () => {
  await using server = await startWebRtcBot();
  // without a path, offers go where the development runner takes them
  const url = new URL(server.url).origin;
  const options = { url, voice: { ...RTC_CALLER, hangUpMs: 0 } };
  // pings come each second of the machine's time
  const report = await run(pipecatConnection(options), [hi], NOW);
  assert.deepEqual(statuses(report), ["pass"]);
  await server.gone();
  assert.match(server.messages.at(-1) ?? "", /"disconnect-bot"/);
  assert.ok(server.messages.some((text) => text.startsWith("ping")));
});

test("what a bot hears of the caller is compared with what was said", { timeout: 60_000 }, async () => {
  const words = scenario("words").says("Where is my order?").wordErrors(0);
  const { report, status } = await runOn({}, { scenarios: [words] });
  assert.equal(status, "pass");
  assert.deepEqual(report.results[0]?.connection?.notChecked ?? [], []);
});

/** What the bot does, and the error of the call. */
const WRONG: readonly (readonly [name: string, bot: WebRtcBotOptions, error: RegExp])[] = [
  ["no such page", { answers: () => ({ status: 404, text: "no such page" }) }, /\(unknown-agent\)/],
  [
    "a key that is rejected",
    { answers: () => ({ status: 401, text: `no ${KEY}` }) },
    /\(key\): it answers 401: no \[key\]/,
  ],
  [
    "half an answer",
    { answers: (sdp) => ({ text: `{"type":"answer","sdp":"${sdp.slice(0, 40).trim()}` }) },
    /\(vendor\)/,
  ],
  ["no answer", { answers: () => ({ json: { type: "offer" } }) }, /\(vendor\): its answer to the offer is/],
  ["no sound", { isMute: true }, /\(vendor\): its answer has no sound/],
  ["half a message", { instead: () => '{"label":"rtvi-ai","ty' }, /\(vendor\).*no JSON object/],
  ["no Opus", { garbles: new Uint8Array([3]) }, /\(vendor\).*cannot be decoded/],
  [
    "a fatal error",
    { instead: () => '{"label":"rtvi-ai","type":"error","data":{"error":"no voice","fatal":true}}' },
    /\(vendor\).*no voice/,
  ],
  ["nothing is said", { instead: () => "nothing" }, /\(silence\)/],
];
for (const [name, bot, error] of WRONG) {
  test(`what cannot be is an error of the connection: ${name}`, { timeout: 60_000 }, async () => {
    using _ = keyed("pipecat");
    const voice = { ...RTC_CALLER, turns: { ...RTC_CALLER.turns, giveUpMs: 6_000 } };
    const given = { keyVariable: "PIPECAT_API_KEY", voice };
    const { report, status, taken } = await runOn(bot, { scenarios: [hi], given });
    assert.match(status, /^error: /);
    assert.match(status, error);
    assert.equal(taken[0]?.headers.authorization, `Bearer ${KEY}`);
    assert.ok(!JSON.stringify(report).includes(KEY));
    // a call is not made twice
    assert.equal(taken.length, 1);
  });
}

test("a bot that never answers the offer is given up after the time of a turn", { timeout: 60_000 }, async () => {
  const options = { ...NOW, limits: { turnTimeoutMs: 500 } };
  const { status } = await runOn({ answers: () => () => {} }, { scenarios: [hi], options });
  assert.match(status, /^error: .*\(silence\)/);
});

test("a bot that closes the connection in place of its answer has ended the call", { timeout: 60_000 }, async () => {
  const { report, status } = await runOn({ instead: (turn) => (turn === 1 ? "close" : undefined) });
  assert.match(status, /^fail: /);
  assert.equal(report.results[0]?.endReason, "agent_ended");
});

test("a run that is given up leaves the bot", { timeout: 60_000 }, async () => {
  await using server = await startWebRtcBot({ instead: () => "nothing" });
  const stop = new AbortController();
  const going = run(pipecatConnection({ url: server.url, voice: RTC_CALLER }, { clock: FAST }), [hi], {
    ...NOW,
    signal: stop.signal,
  });
  while (server.messages.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  stop.abort();
  await going.catch(() => undefined);
  await server.gone();
});

test("packages that are missing are named before the first call", async () => {
  const loadRtc = async () => {
    throw new ScenarioError("werift cannot be loaded", {
      code: "missing-package",
      hint: "npm install werift opusscript",
    });
  };
  await using server = await startWebRtcBot();
  const agent = pipecatConnection({ url: server.url, voice: RTC_CALLER }, { loadRtc });
  await assert.rejects(run(agent, [hi], NOW), { code: "missing-package" });
  assert.equal(server.taken.length, 0);
});

test("options that do not fit together are refused", () => {
  const url = "http://127.0.0.1:7860";
  assert.throws(() => connect.pipecat({ url }), /calls over WebRTC are by voice/);
  assert.throws(() => connect.pipecat({ url, voice: true, frames: "protobuf" }), /frames are those of a socket/);
  const iceServers = [{ urls: "http://stun.example.com" }];
  assert.throws(() => connect.pipecat({ url, voice: true, iceServers }), /"iceServers" is a list/);
  connect.pipecat({ url, voice: true, iceServers: [{ urls: ["stun:stun.example.com"] }] });
});
