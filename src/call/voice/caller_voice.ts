import { setImmediate as nextTask } from "node:timers/promises";
import pLimit from "p-limit";
import { ModelError } from "../../base/errors.ts";
import { defined, SYSTEM_CLOCK } from "../../base/values/mod.ts";
import type { CallerSpeech } from "../../document/scenario/mod.ts";
import { createResampler, createSoundModels, readWave, toInt16, writePcmWave } from "../audio/mod.ts";
import { DEFAULT_TRY_TIMEOUT_MS } from "../models/mod.ts";
import { firstLoud, lastLoud, levelOf } from "./level.ts";
import { DEFAULT_TURNS, type VoiceOptions } from "./options.ts";

/** Speaks for the caller, and writes down what it hears. */
export interface CallerVoice {
  /**
   * The sound of a text, with hardly any silence around it.
   *
   * @param rate Samples per second of the result.
   * @param speech How the scenario's caller speaks, if it says so.
   * @throws {ModelError} When the speech model fails, writes no WAV, or says nothing.
   */
  readonly speak: (text: string, rate: number, signal: AbortSignal, speech?: CallerSpeech) => Promise<Int16Array>;
  /** @throws {ModelError} When the transcription model fails. */
  readonly transcribe: (samples: Int16Array, rate: number, signal: AbortSignal) => Promise<string>;
}

const DEFAULT_CONCURRENCY = 4;
/** What is kept before and behind the loud part, in seconds: consonants are quiet. */
const KEPT_SECONDS = 0.1;

/**
 * Resolves the models of the caller's voice.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`.
 */
export async function createCallerVoice({
  voice,
  concurrency = DEFAULT_CONCURRENCY,
  turns,
  ...options
}: VoiceOptions): Promise<CallerVoice> {
  const models = await createSoundModels(options);
  const slots = pLimit(concurrency);
  const level = levelOf(turns?.levelDb ?? DEFAULT_TURNS.levelDb);
  const requestOf = (signal: AbortSignal) => ({
    tryTimeoutMs: DEFAULT_TRY_TIMEOUT_MS,
    policy: {},
    signal,
    timers: SYSTEM_CLOCK,
  });
  // work with a whole sound takes a while: one sound at a time, and between its parts the frames of all calls are sent
  const work = pLimit(1);
  return {
    speak: (text, rate, signal, speech) =>
      slots(async () => {
        const manner = defined({ language: speech?.language ?? undefined, speed: speech?.rate ?? undefined });
        const { uint8Array } = await models.speak(text, speech?.voice ?? voice, requestOf(signal), manner);
        const samples = await work(() => converted(uint8Array, rate));
        const [first, last] = [firstLoud(samples, level), lastLoud(samples, level)];
        if (first < 0) throw silent(models.speechModel);
        const kept = Math.round(KEPT_SECONDS * rate);
        return samples.slice(Math.max(0, first - kept), last + 1 + kept);
      }),
    transcribe: (samples, rate, signal) =>
      slots(async () => {
        const sound = await work(async () => {
          await nextTask();
          return writePcmWave({ rate, channels: [samples] });
        });
        const { text } = await models.transcribe(sound, requestOf(signal));
        return text.trim();
      }),
  };
}

/** Milliseconds of a sound that are converted at once. */
const PART_MS = 100;

/** Reads a sound file, and converts it to a rate. */
async function converted(file: Uint8Array, rate: number): Promise<Int16Array> {
  await nextTask();
  const sound = await readWave(file);
  const samples = toInt16(sound);
  if (sound.rate === rate) return samples;
  const convert = createResampler(sound.rate, rate);
  const result = new Int16Array(Math.round((samples.length * rate) / sound.rate));
  // the end of a sound comes with the silence behind it
  const size = Math.ceil((sound.rate * PART_MS) / 1000);
  for (let [at, to] = [0, 0]; to < result.length; at += size) {
    await nextTask();
    const part = convert(at < samples.length ? samples.subarray(at, at + size) : new Int16Array(size));
    result.set(part.subarray(0, result.length - to), to);
    to += part.length;
  }
  return result;
}

function silent(model: string): ModelError {
  return new ModelError(`Cannot speak for the caller: the sound of "${model}" is silent`, {
    code: "model-output",
    path: ["speech"],
    hint: "Use another speech model or voice, or lower turns.levelDb",
  });
}
