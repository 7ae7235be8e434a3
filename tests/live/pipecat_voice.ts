import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { connect } from "../../api/connect.ts";
import { type RunReport, run, scenario } from "../../mod.ts";
import { type ChatRequest, type ChatServer, startChatServer } from "../chat_server.ts";
import { statuses } from "../platforms/connections/_runs.ts";
import { startBot } from "./_bot.ts";
import { needsSoftware } from "./_software.ts";
import { toneModels } from "./_tone_models.ts";
import { FREQUENCIES, TEXTS } from "./_tones.mjs";

const { folder, options } = needsSoftware("Pipecat");
const LIMITED = { ...options, timeout: 240_000 };
const BOT = join(import.meta.dirname ?? ".", "desk_bot.py");
const REAL = { store: false, connection: { allowRealTools: true } } as const;
const OVER_WEBRTC = { store: false, connection: { allowRealTools: true, unchecked: "report" } } as const;

/** Answers as the bot's model, from what the function returned. */
function answer({ messages }: ChatRequest) {
  const last = messages.at(-1);
  const words = String(last?.content);
  if (last?.role === "tool") {
    const { status, arrives } = JSON.parse(words);
    return { say: `It is ${status} and arrives on ${arrives}.` };
  }
  if (last?.role !== "user") return { say: "Lamp shop, how can I help?" };
  if (words.includes("manager")) return { say: "The manager calls you back." };
  if (words.includes("Goodbye")) return { call: { name: "end_call", arguments: {} } };
  return { call: { name: "look_up_order", arguments: { order_number: words.match(/[A-Z]-\d+/)?.[0] ?? "" } } };
}

let model: ChatServer;
let bot: { readonly url: string } & AsyncDisposable;

before(async () => {
  if (options.skip) return;
  model = await startChatServer(answer);
  const tones = Object.fromEntries(TEXTS.map((text, at) => [text, FREQUENCIES[at]]));
  const env = { DESK_MODEL: model.url, DESK_TONES: JSON.stringify(tones) };
  bot = await startBot({ software: folder, script: BOT, env });
});
after(async () => {
  if (options.skip) return;
  await bot[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const voice = (endMs: number) => ({ ...toneModels(), turns: { endMs, giveUpMs: 60_000 } });
const call = scenario("call")
  .says("Where is order A-1042?", "I ask for a manager!", "Goodbye.")
  .includes("Lamp shop", "arrives on Friday", "calls you back")
  .ends("agent_ended");
const lookUp = scenario("look-up")
  .says("Where is order A-1042?", "Goodbye.")
  .calls("look_up_order", { order_number: "A-1042" })
  .includes("Lamp shop", "arrives on Friday")
  .ends("agent_ended");
/** Expects a function, too. */
const whole = scenario("whole")
  .says("Where is order A-1042?", "Goodbye.")
  .calls("look_up_order", { order_number: "A-1042" })
  .includes("arrives on Friday")
  .ends("agent_ended");
/** The bot says that the order is shipped. */
const wrong = scenario("wrong").says("Where is order A-1042?").includes("calls you back");

const CALL = [
  "Lamp shop, how can I help?",
  "Where is order A-1042?",
  "It is shipped and arrives on Friday.",
  "I ask for a manager!",
  "The manager calls you back.",
  "Goodbye.",
];

/** Each message of a call, without those of functions. */
function wordsOf({ results }: RunReport, at: number): readonly (string | null | undefined)[] {
  const said = results[at]?.transcript.filter(({ role }) => role === "assistant" || role === "user");
  return said?.map(({ content }) => content) ?? [];
}

test("a bot of Pipecat by voice, in JSON: words, a function, a wrong reply and the end", LIMITED, async () => {
  const agent = connect.pipecat({ url: bot.url, voice: voice(800) });
  const report = await run(agent, [lookUp, call, wrong], REAL);
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["pass", "pass", "fail"],
    statuses(report).join("\n"),
  );
  assert.deepEqual(wordsOf(report, 1), CALL);
  assert.deepEqual(
    report.results[0]?.toolsCalled.map(({ name, arguments: args, result }) => [name, args, result]),
    [
      ["look_up_order", { order_number: "A-1042" }, { status: "shipped", arrives: "Friday" }],
      ["end_call", {}, { ended: true }],
    ],
  );
});

test("a bot of Pipecat by voice, in protobuf: words, a wrong reply and the end", LIMITED, async () => {
  const url = bot.url.replace(/\/ws$/, "/ws-client");
  const runWith = async (address: string, endMs: number) =>
    await run(connect.pipecat({ url: address, frames: "protobuf", voice: voice(endMs) }), [call, wrong], REAL);
  // by default, a bot of production tells nothing but its sound: a busy machine may make two turns of one there
  const reports = await Promise.all([runWith(`${url}?rtvi=on`, 800), runWith(url, 2_500)]);
  for (const report of reports)
    assert.deepEqual(
      report.results.map(({ status }) => status),
      ["pass", "fail"],
      statuses(report).join("\n"),
    );
  const [told] = reports;
  assert.deepEqual(told && wordsOf(told, 0), CALL);
});

test("a bot of Pipecat over WebRTC: words, a function, a wrong reply and the end", LIMITED, async () => {
  const url = bot.url.replace(/^ws(.*)\/ws$/, "http$1");
  const report = await run(connect.pipecat({ url, voice: voice(800) }), [call, whole, wrong], OVER_WEBRTC);
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["pass", "pass", "fail"],
    statuses(report).join("\n"),
  );
  assert.deepEqual(wordsOf(report, 0), CALL);
  // functions have no names there
  const notChecked = report.results[1]?.connection?.notChecked?.map(({ kind }) => kind);
  assert.deepEqual(notChecked, ["calls"]);
});
