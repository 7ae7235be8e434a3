import assert from "node:assert/strict";
import { test } from "node:test";
import { offlineSpeech, run, scenario } from "../../../mod.ts";
import { ScenarioError } from "../../../src/base/errors.ts";
import { atRate, readWave, toInt16 } from "../../../src/call/audio/mod.ts";
import { AgentSound } from "../../../src/call/voice/agent_sound.ts";
import type { Span } from "../../../src/call/voice/level.ts";
import { DEFAULT_TURNS } from "../../../src/call/voice/options.ts";
import { loadSilero, type SpeechDetector } from "../../../src/call/voice/speech_detector.ts";
import { SpeechFilter } from "../../../src/call/voice/speech_filter.ts";
import { openOptions, simulate, wordsOf } from "../../platforms/twilio/talk/_simulated.ts";
import { needsProgram } from "../../programs.ts";
import { HUMMING, joined, noise, silence, tone } from "./_tones.ts";

/** Takes tones for speech: waves that cross zero seldom. */
const TONES: SpeechDetector = {
  start: () => async (window) => {
    const crossings = window.filter((sample, at) => at > 0 && sample * (window[at - 1] ?? 0) < 0).length;
    return crossings > 0 && crossings < 100 ? 1 : 0;
  },
};

/** What a detector takes for speech in a sound that arrives in parts of 20 ms, in samples. */
async function speechIn(sound: Int16Array, rate: number, detector: SpeechDetector, from = 0): Promise<readonly Span[]> {
  const found: Span[] = [];
  const errors: unknown[] = [];
  const onSpeech = (span: Span) => void found.push(span);
  const filter = new SpeechFilter(rate, { detector, onSpeech, onError: (error) => void errors.push(error) });
  for (let at = 0; at < sound.length; at += rate / 50) filter.add(sound.subarray(at, at + rate / 50), from + at);
  filter.endBefore(from + sound.length + rate);
  while (filter.isBehind) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(errors, []);
  return found;
}

const samplesIn = (spans: readonly Span[]) => spans.reduce((sum, { from, until }) => sum + until - from, 0);

for (const rate of [8_000, 16_000, 24_000, 48_000]) {
  test(`speech is found at its place: ${rate} samples per second`, async () => {
    const options = { rate, level: 9_000 };
    const sound = joined(noise(1_000, options), tone(440, 1_000, options), noise(1_000, options));
    const found = await speechIn(sound, rate, TONES, 5_000);
    const ms = found.map(({ from, until }) => [from, until].map((place) => ((place - 5_000) / rate) * 1_000));
    const [first = 0, last = 0] = [ms[0]?.[0], ms.at(-1)?.[1]];
    // a window before and behind it is kept with it
    assert.ok(first > 1_000 - 64 && first <= 1_000, `${first}`);
    assert.ok(last >= 2_000 && last < 2_000 + 64, `${last}`);
    assert.ok(Math.abs(samplesIn(found) / rate - (last - first) / 1_000) < 0.001, "without a hole");
  });
}

test("the end of a sound is judged when no more comes", async () => {
  const places = await speechIn(tone(440, 1_010, { rate: 16_000 }), 16_000, TONES);
  assert.ok((places.at(-1)?.until ?? 0) >= 16_160, `${places.at(-1)?.until}`);
});

test("a sound after a gap begins anew, and a short gap is one of the network", async () => {
  let started = 0;
  const detector: SpeechDetector = {
    start: () => {
      started += 1;
      return async () => 1;
    },
  };
  const places: Span[] = [];
  const onSpeech = (span: Span) => void places.push(span);
  const filter = new SpeechFilter(16_000, { detector, onSpeech, onError: assert.ifError });
  for (const from of [0, 3_300, 50_000]) filter.add(new Int16Array(3_200), from);
  while (filter.isBehind) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(started, 2);
  assert.ok(places.every(({ from, until }) => until - from === 512 && (until <= 6_500 + 1_600 || from >= 50_000)));
  assert.deepEqual([places[0]?.from, places.some(({ from }) => from === 50_000)], [0, true]);
});

test("sound that is taken back says nothing of what comes in its place", async () => {
  const places: Span[] = [];
  const options = { detector: TONES, onSpeech: (span: Span) => void places.push(span), onError: assert.ifError };
  const filter = new SpeechFilter(16_000, options);
  const sound = new AgentSound(16_000, DEFAULT_TURNS, true);
  const loud = tone(440, 1_000, { rate: 16_000 });
  filter.add(loud, sound.add(loud, 0));
  filter.clear(3_200);
  while (filter.isBehind) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(places.length > 0 && places.every(({ until }) => until <= 3_200));
  for (const span of [...places, { from: 3_200, until: 16_000 }]) sound.addSpeech(span);
  sound.clear(3_200);
  sound.add(noise(500, { rate: 16_000, level: 9_000 }), 3_200);
  assert.equal(sound.voiceEnd, 3_200);
});

test("an error of the detector ends the call with it", async () => {
  const detector = { start: () => () => Promise.reject(new Error("it broke")) };
  const { connection, done } = simulate(
    [{ acts: [{ sound: tone(440, 500) }] }],
    { turns: { vad: "silero" } },
    HUMMING,
    {
      loadDetector: async () => detector,
    },
  );
  await assert.rejects(done(connection.open(openOptions())), /it broke/);
});

test("noise around the agent's words is no part of its turn with turns.vad, and is without it", async () => {
  const sound = joined(noise(1_000, { level: 9_000 }), tone(440, 500), noise(3_000, { level: 9_000 }));
  const replies = [{ acts: [{ sound }] }, { acts: [{ sound: tone(600, 700) }] }];
  const heard = async (vad: "energy" | "silero") => {
    const { connection, bot, done } = simulate(replies, { turns: { vad } }, HUMMING, {
      loadDetector: async () => TONES,
    });
    const call = await done(connection.open(openOptions()));
    await done(call.say("Hi"));
    const first = bot.media.find(({ samples }) => samples.some((sample) => Math.abs(sample) > 500));
    return { opening: call.opening, spokeAtMs: first?.atMs ?? 0 };
  };
  const plain = await heard("energy");
  assert.ok(plain.spokeAtMs >= 300 + 1_000 + 500 + 3_000 + 500, `${plain.spokeAtMs}`);
  assert.equal(plain.opening.firstWordMs, 300);
  const told = await heard("silero");
  assert.match(String(wordsOf(told.opening)), /^Hello, how can I help\?/);
  const [first = 0, spoke] = [told.opening.firstWordMs, told.spokeAtMs];
  // a window before and behind the words is theirs
  assert.ok(first > 1_200 && first <= 1_300, `${first}`);
  assert.ok(spoke >= 300 + 1_500 + 500 && spoke <= 300 + 1_500 + 500 + 120, `${spoke}`);
});

test("packages that are missing are named before the first call", async () => {
  const loadDetector = () =>
    Promise.reject(new ScenarioError("no package", { code: "missing-package", hint: "npm install it" }));
  const { connection, bot } = simulate([{ acts: [] }], { turns: { vad: "silero" } }, HUMMING, { loadDetector });
  const hi = scenario("hi").says("Hi").includes("Monday");
  await assert.rejects(run(connection, [hi], { store: false }), { code: "missing-package" });
  assert.equal(bot.messages.length, 0);
});

test("Silero takes spoken words for speech, and noise, a tone and silence for none", {
  ...needsProgram("espeak-ng"),
  timeout: 120_000,
}, async () => {
  const silero = await loadSilero();
  const { audio } = await offlineSpeech().doGenerate({ text: "Your order arrives on Tuesday, the tenth of May." });
  assert.ok(typeof audio !== "string");
  for (const rate of [8_000, 24_000]) {
    const words = toInt16(atRate(await readWave(audio), rate));
    const options = { rate, level: 9_000 };
    const share = async (sound: Int16Array) => samplesIn(await speechIn(sound, rate, silero)) / sound.length;
    assert.ok((await share(words)) > 0.75, `${rate}: of the words`);
    for (const other of [noise(2_000, options), tone(440, 2_000, options), silence(2_000, rate)])
      assert.ok((await share(other)) < 0.1, `${rate}: of other sound`);
  }
});
