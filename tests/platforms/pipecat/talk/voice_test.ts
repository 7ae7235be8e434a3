import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { type RunOptions, run, scenario } from "../../../../mod.ts";
import { type PipecatOptions, pipecatConnection } from "../../../../platforms/pipecat/talk/bot.ts";
import { FAST } from "../../../call/voice/_spoken.ts";
import { statuses } from "../../connections/_runs.ts";
import { CALLER } from "../../connections/_voice_platforms.ts";
import { type PipecatBotOptions, startPipecat } from "./_server.ts";

const NOW: RunOptions = { store: false, connection: { unchecked: "report", allowRealTools: true } };
const asks = scenario("asks")
  .says("Where is my order?", "It is A-1042.", "No, that is all.")
  .calls("look_up_order", { order_number: "A-1042" })
  .includes("order number", "shipped")
  .ends("agent_ended");
const hi = scenario("hi").says("Where is my order?").includes("order number");

async function runOn(bot: PipecatBotOptions, given: Partial<PipecatOptions> = {}, scenarios = [asks]) {
  const { voice = { frames: "json" } } = bot;
  await using server = await startPipecat({ voice, ...bot });
  const { frames } = voice;
  const options = { url: `${server.socketUrl}/ws`, frames, voice: CALLER, hangUpMs: 3_000, ...given };
  const report = await run(pipecatConnection(options, { clock: FAST }), scenarios, NOW);
  await server.gone();
  return { report, status: statuses(report)[0] ?? "" };
}

/** Readings of evals/serializer.py and of frames.proto, and orders in which a bot's messages can come. */
const USUAL: readonly (readonly [name: string, bot: PipecatBotOptions, given?: Partial<PipecatOptions>])[] = [
  ["other rates", { voice: { frames: "json", hears: 8000, speaks: 16_000 } }, { inputRate: 8000 }],
  ["other rates in protobuf", { voice: { frames: "protobuf", hears: 24_000, speaks: 8000 } }, { inputRate: 24_000 }],
  ["a function returns before the answer is complete", { returns: "early" }],
  ["it greets before it is ready", { greetsEarly: true }],
  ["it greets before it is ready, in protobuf", { greetsEarly: true, voice: { frames: "protobuf" } }],
];
for (const [name, bot, given] of USUAL) {
  test(`a bot by voice: ${name}`, { timeout: 60_000 }, async () => {
    const { report, status } = await runOn(bot, given);
    assert.equal(status, "pass");
    const [result] = report.results;
    const isNamed = bot.voice?.frames !== "protobuf";
    assert.deepEqual(
      result?.toolsCalled.map((tool) => tool.name),
      isNamed ? ["look_up_order"] : [],
    );
    assert.equal(result?.connection?.notChecked?.some(({ kind }) => kind === "calls") ?? false, !isNamed);
  });
}

for (const frames of ["json", "protobuf"] as const) {
  test(`a turn is held open while a function runs, with words before it: ${frames}`, { timeout: 60_000 }, async () => {
    const { report, status } = await runOn({ filler: "One moment.", speaksAfterMs: 2_000, voice: { frames } });
    assert.equal(status, "pass");
    const lines =
      report.results[0]?.transcript.flatMap(({ role, content }) => (role === "tool" ? [] : [content])) ?? [];
    // the answer is a part of the same turn: the caller has not said its next line before it
    const at = lines.findIndex((line) => line.startsWith("One moment."));
    assert.ok(at > 0);
    // without messages of the function, nothing divides the sound
    if (frames === "json") assert.equal(lines[at], "One moment.");
    assert.match(lines[frames === "json" ? at + 1 : at] ?? "", /shipped/);
  });
}

test("a bot that waits for the caller is called with opening: false", { timeout: 60_000 }, async () => {
  const { status } = await runOn({ opens: false }, { opening: false }, [hi]);
  assert.equal(status, "pass");
});

const rtvi = (type: string, data: object = {}) => ({ label: "rtvi-ai", type, data });
/** What the bot does, and the error of the call. */
const WRONG: readonly (readonly [name: string, bot: PipecatBotOptions, error: RegExp])[] = [
  ["no base64", { instead: () => [rtvi("eval-bot-audio", { audio: "%%", sampleRate: 24_000 })] }, /\(vendor\).*base64/],
  ["no rate", { instead: () => [rtvi("eval-bot-audio", { audio: "AAAA" })] }, /\(vendor\).*rate/],
  ["a fatal error", { instead: () => [rtvi("error", { error: "no voice", fatal: true })] }, /\(vendor\).*no voice/],
  ["half a message", { fault: (_, number) => (number === 3 ? "half" : undefined) }, /\(vendor\).*no JSON/],
  [
    "half a frame",
    { voice: { frames: "protobuf" }, fault: (_, number) => (number === 3 ? "half" : undefined) },
    /\(vendor\).*no frame/,
  ],
  ["text for a frame", { voice: { frames: "protobuf" }, instead: () => ["hello"] }, /\(vendor\).*frames: "json"/],
  [
    "no bytes of a frame",
    { voice: { frames: "protobuf" }, instead: () => [new Uint8Array([0, 1, 2])] },
    /\(vendor\).*no frame/,
  ],
  ["a broken connection", { fault: (_, number) => (number === 6 ? "break" : undefined) }, /\(ended-early\)/],
];
for (const [name, bot, error] of WRONG) {
  test(`what cannot be is an error of the connection: ${name}`, { timeout: 60_000 }, async () => {
    const { status } = await runOn(bot, {}, [hi]);
    assert.match(status, /^error: /);
    assert.match(status, error);
  });
}

test("frames in protobuf have no text", () => {
  assert.throws(() => connect.pipecat({ url: "ws://127.0.0.1:7860/ws", frames: "protobuf" }), /have no text/);
});

for (const frames of ["json", "protobuf"] as const)
  test(`what a bot hears of the caller is compared with what was said: ${frames}`, { timeout: 60_000 }, async () => {
    const words = scenario("words").says("Where is my order?").wordErrors(0);
    const { report, status } = await runOn({ voice: { frames } }, {}, [words]);
    assert.equal(status, "pass");
    assert.deepEqual(report.results[0]?.connection?.notChecked ?? [], []);
  });
