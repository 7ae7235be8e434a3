import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { spoken } from "../../../call/voice/_spoken.ts";
import { startSpokenServer } from "../../../call/voice/_spoken_server.ts";
import { AGENT_ID, startElevenLabs } from "../../../platforms/elevenlabs/talk/_server.ts";
import { startTwilio } from "../../../platforms/twilio/talk/_bot.ts";
import { callweave, folder } from "../_terminal.ts";

/** Models of speech read their key from the environment of the process. */
function withModels(url: string): Disposable {
  const given: { readonly [name: string]: string } = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: url };
  const before = Object.keys(given).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, given);
  return {
    [Symbol.dispose]: () => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    },
  };
}

const SCENARIOS = { "calls.json": [{ name: "asks", says: ["Where is my order?"], includes: ["number"] }] };
const NOW = ["--scenarios", "calls.json", "--db", ":memory:", "--unchecked", "report"];

test("run --agent --voice calls an agent by voice, with the models and the voice of the flags", {
  timeout: 120_000,
}, async () => {
  await using sounds = await startSpokenServer();
  using _models = withModels(sounds.url);
  await using server = await startElevenLabs({ voice: { caller: "pcm_16000", agent: "pcm_16000" } });
  const env = { ELEVENLABS_API_KEY: "key-of-the-tests", OPENAI_API_KEY: "key", OPENAI_BASE_URL: sounds.url };
  const agent = ["run", "--agent", `elevenlabs:${AGENT_ID}`, "--base-url", server.url, ...NOW, "--model", "offline"];
  const cwd = folder(SCENARIOS);
  const named = await callweave(
    [...agent, "--voice", "coral", "--speech-model", "openai/loud", "--transcription-model", "openai/keen"],
    { cwd, env },
  );
  assert.equal(named.code, 0, `${named.out}${named.err}`);
  assert.deepEqual([...new Set(sounds.asked.map(({ model, voice }) => `${model} ${voice}`))].sort(), [
    "keen undefined",
    "loud coral",
  ]);
  assert.ok(server.received.some((message) => JSON.stringify(message).includes("user_audio_chunk")));
  sounds.asked.length = 0;
  // without a name, and before another flag
  const own = await callweave([...agent.slice(0, 1), "--voice", ...agent.slice(1)], { cwd, env });
  assert.equal(own.code, 0, `${own.out}${own.err}`);
  assert.deepEqual([...new Set(sounds.asked.map(({ model }) => model))].sort(), [
    "gpt-4o-mini-transcribe",
    "gpt-4o-mini-tts",
  ]);
});

test("--speech-model and --transcription-model reach a platform that has voice alone", {
  timeout: 120_000,
}, async () => {
  await using sounds = await startSpokenServer();
  using _models = withModels(sounds.url);
  const sound = (text: string) => ({ acts: [{ sound: spoken(text, 8000) }] });
  await using server = await startTwilio({ replies: [sound("Hello, this is Lumen."), sound("What is its number?")] });
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: sounds.url };
  const models = ["--speech-model", "openai/loud", "--transcription-model", "openai/keen", "--voice", "coral"];
  const args = ["run", "--agent", `twilio:${server.socketUrl}/media`, ...NOW, "--model", "offline", ...models];
  const { code, out, err } = await callweave(args, { cwd: folder(SCENARIOS), env });
  assert.equal(code, 0, `${out}${err}`);
  assert.deepEqual([...new Set(sounds.asked.map(({ model, voice }) => `${model} ${voice}`))].sort(), [
    "keen undefined",
    "loud coral",
  ]);
});

test("flags of voice are refused where they say nothing", async () => {
  const cwd = folder({ ...SCENARIOS, "agent.mjs": "export const agent = 1;" });
  const wrong: readonly (readonly [args: readonly string[], error: RegExp])[] = [
    [["--agent", "elevenlabs:agent_1", "--speech-model", "offline"], /--speech-model is passed without --voice/],
    [["--agent", "bland:pathway_1", "--voice"], /calls to agents of Bland are in text/],
    [["--agent", "agent.mjs", "--voice"], /"agent.mjs" is a module/],
    [["--agent", "elevenlabs:agent_1", "--voice="], /--voice has no value/],
  ];
  for (const [args, error] of wrong) {
    const { code, err } = await callweave(["run", ...args, ...NOW], { cwd, env: {} });
    assert.equal(code, 2, args.join(" "));
    assert.match(err, error);
  }
});
