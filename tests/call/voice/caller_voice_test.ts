import assert from "node:assert/strict";
import { test } from "node:test";
import type { SpeechModelV3 } from "@ai-sdk/provider";
import { writeWave } from "../../../src/call/audio/mod.ts";
import { createCallerVoice } from "../../../src/call/voice/caller_voice.ts";
import { hummingModels, joined, RATE, silence, tone } from "./_tones.ts";

const never = new AbortController().signal;

/** A speech model that gives this sound. */
function speaking(audio: Uint8Array, asked: object[] = []): SpeechModelV3 {
  return {
    specificationVersion: "v3",
    provider: "tests",
    modelId: "fixed",
    doGenerate: async ({ abortSignal: _, ...options }) => {
      asked.push(options);
      return { audio, warnings: [], response: { timestamp: new Date(0), modelId: "fixed" } };
    },
  };
}

test("speak() gives the words at the rate of the call, without the silence around them", async () => {
  const voice = await createCallerVoice(hummingModels());
  for (const rate of [8000, 16_000]) {
    const samples = await voice.speak("a".repeat(20), rate, never);
    // 100 ms are left on both sides
    assert.ok(Math.abs(samples.length - 1.2 * rate) < 0.005 * rate, `${samples.length}`);
    const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    assert.ok(loudest > 7_500 && loudest < 9_000, `${loudest}`);
    assert.ok(samples.slice(0, rate * 0.09).every((sample) => Math.abs(sample) < 100));
  }
});

test("speak() names voice, language and format to the model", async () => {
  const asked: object[] = [];
  const audio = writeWave({ rate: RATE, samples: Float64Array.from(tone(300, 200)) });
  const speech = speaking(audio, asked);
  const voice = await createCallerVoice({ ...hummingModels(), speech, voice: "nova", language: "de" });
  await voice.speak("Guten Tag", RATE, never);
  const [{ text, voice: named, language, outputFormat }] = JSON.parse(JSON.stringify(asked));
  assert.deepEqual([text, named, language, outputFormat], ["Guten Tag", "nova", "de", "wav"]);
});

test("speech that is silent, or no WAV, is an error", async () => {
  const quiet = writeWave({ rate: RATE, samples: Float64Array.from(silence(500)) });
  const cases = [
    [quiet, { code: "model-output", message: /the sound of "tests\/fixed" is silent/ }],
    [new Uint8Array(100), { code: "audio-format" }],
  ] as const;
  for (const [audio, error] of cases) {
    const voice = await createCallerVoice({ ...hummingModels(), speech: speaking(audio) });
    await assert.rejects(voice.speak("Hello", RATE, never), error);
  }
});

test("transcribe() passes the sound to the model as WAV", async () => {
  const voice = await createCallerVoice(hummingModels());
  const sound = joined(silence(300), tone(600, 400), silence(100), tone(800, 400));
  assert.equal(await voice.transcribe(sound, RATE, never), "It arrives on Monday. Goodbye!");
  assert.equal(await voice.transcribe(silence(500), RATE, never), "");
});

test("requests are limited in number, and end with the signal", async () => {
  let [running, most] = [0, 0];
  const models = hummingModels();
  const slow: SpeechModelV3 = {
    ...models.speech,
    doGenerate: async (options) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return await models.speech.doGenerate(options);
    },
  };
  const voice = await createCallerVoice({ ...models, speech: slow, concurrency: 2 });
  await Promise.all(Array.from({ length: 6 }, () => voice.speak("Hello", RATE, never)));
  assert.equal(most, 2);
  const hanging = { ...models.speech, doGenerate: () => new Promise<never>(() => {}) };
  const stuck = await createCallerVoice({ ...models, speech: hanging });
  const stop = new AbortController();
  const waiting = stuck.speak("Hello", RATE, stop.signal);
  stop.abort(new Error("stop"));
  await assert.rejects(waiting);
});

test("a scenario's caller speaks with its voice, language and rate, and a model that does not know one is an error", async () => {
  const asked: object[] = [];
  const audio = writeWave({ rate: RATE, samples: Float64Array.from(tone(300, 200)) });
  const fixed = speaking(audio, asked);
  const own = await createCallerVoice({ ...hummingModels(), speech: fixed, voice: "nova", language: "de" });
  await own.speak("Hi", RATE, never, { voice: "ana", language: "fr", rate: 1.5 });
  const { voice, language, speed } = { voice: "", language: "", speed: 0, ...asked[0] };
  assert.deepEqual([voice, language, speed], ["ana", "fr", 1.5]);
  const warns: SpeechModelV3 = {
    ...fixed,
    doGenerate: async (options) => ({
      ...(await fixed.doGenerate(options)),
      warnings: [{ type: "unsupported", feature: "speed" }],
    }),
  };
  const deaf = await createCallerVoice({ ...hummingModels(), speech: warns });
  await deaf.speak("Hi", RATE, never);
  await assert.rejects(deaf.speak("Hi", RATE, never, { rate: 1.5 }), /does not know the speed of \.speaks\(\)/);
});
