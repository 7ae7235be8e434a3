import { setImmediate as nextTask } from "node:timers/promises";
import pLimit from "p-limit";
import { ModelError } from "../../base/errors.ts";
import { SYSTEM_CLOCK } from "../../base/values/mod.ts";
import { atRate, createSoundModels, readWave, toInt16, writeWave } from "../audio/mod.ts";
import { DEFAULT_TRY_TIMEOUT_MS } from "../models/mod.ts";
import { firstLoud, lastLoud, levelOf } from "./level.ts";
import { DEFAULT_TURNS, type VoiceOptions } from "./options.ts";

/** Speaks for the caller, and writes down what it hears. */
export interface CallerVoice {
  /**
   * The sound of a text, with hardly any silence around it.
   *
   * @param rate Samples per second of the result.
   * @throws {ModelError} When the speech model fails, writes no WAV, or says nothing.
   */
  readonly speak: (text: string, rate: number, signal: AbortSignal) => Promise<Int16Array>;
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
  // work with a whole sound takes a while: between two of them, the frames of all calls are sent
  return {
    speak: (text, rate, signal) =>
      slots(async () => {
        const { uint8Array } = await models.speak(text, voice, requestOf(signal));
        await nextTask();
        const samples = toInt16(atRate(await readWave(uint8Array), rate));
        const [first, last] = [firstLoud(samples, level), lastLoud(samples, level)];
        if (first < 0) throw silent(models.speechModel);
        const kept = Math.round(KEPT_SECONDS * rate);
        return samples.slice(Math.max(0, first - kept), last + 1 + kept);
      }),
    transcribe: (samples, rate, signal) =>
      slots(async () => {
        await nextTask();
        const sound = writeWave({ rate, samples: Float64Array.from(samples) });
        const { text } = await models.transcribe(sound, requestOf(signal));
        return text.trim();
      }),
  };
}

function silent(model: string): ModelError {
  return new ModelError(`Cannot speak for the caller: the sound of "${model}" is silent`, {
    code: "model-output",
    path: ["speech"],
    hint: "Use another speech model or voice, or lower turns.levelDb",
  });
}
