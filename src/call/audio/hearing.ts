import pLimit from "p-limit";
import { type Clock, SYSTEM_CLOCK } from "../../base/values/mod.ts";
import { DEFAULT_TRY_TIMEOUT_MS, type RequestOptions, type Retry } from "../models/mod.ts";
import { overPhone, readWave, writeWave } from "./line.ts";
import { keepSound } from "./models.ts";
import { type AudioOptions, DEFAULT_AUDIO_CONCURRENCY, lineOf } from "./options.ts";
import { createSoundModels } from "./sound_models.ts";

/** The pipeline from words through speech, line and transcription, shared by the calls of a run. */
export interface Hearing {
  readonly options: AudioOptions;
  readonly speechModel: string;
  readonly transcriptionModel: string;
  /**
   * Speaks a text and transcribes the sound.
   *
   * @throws {ModelError} `model-failed`, `model-timeout`, `key-refused`, `aborted`, `audio-format`, `missing-program`.
   */
  readonly hear: (text: string, options: HearOptions) => Promise<Heard>;
}

/** The slot of a text, and what its requests are bound to. */
export interface HearOptions {
  readonly signal: AbortSignal | undefined;
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Used for time limits and retry delays. Default: the machine's clock. */
  readonly timers?: Clock | undefined;
  readonly role: "user" | "assistant";
  /** Part of the seed of noise, and the name of a kept file: scenario, trial, attempt, number and role. */
  readonly place: readonly (string | number)[];
}

/** The transcription of a text. */
export interface Heard {
  readonly text: string;
  readonly requests: number;
  readonly characters: number;
  readonly seconds: number;
}

/**
 * Resolves the models of a run's audio.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`.
 */
export async function createHearing(
  options: AudioOptions,
  { tryTimeoutMs = DEFAULT_TRY_TIMEOUT_MS, retry = {} }: Pick<RequestOptions, "tryTimeoutMs" | "retry"> = {},
): Promise<Hearing> {
  const { voice, callerVoice = voice, language, format = "wav", keep } = options;
  const models = await createSoundModels({ ...options, format, language });
  const slots = pLimit(options.concurrency ?? DEFAULT_AUDIO_CONCURRENCY);
  const line = lineOf(options);

  const hear = async (text: string, hearOptions: HearOptions): Promise<Heard> => {
    const { signal, onRetry, timers = SYSTEM_CLOCK } = hearOptions;
    const requests = { tryTimeoutMs, policy: retry, signal, onRetry, timers };
    const place = hearOptions.place.join("/");
    const spoken = await models.speak(text, hearOptions.role === "user" ? callerVoice : voice, requests);
    const isBare = format.startsWith("pcm");
    const bare = isBare ? writeWave(await readWave(spoken.uint8Array, format)) : spoken.uint8Array;
    const sound = line ? await overPhone(bare, line, { place }) : bare;
    if (keep !== undefined)
      await keepSound(keep, hearOptions.place, sound, line || isBare ? "audio/wav" : spoken.mediaType);
    const { text: heard, durationInSeconds = 0 } = await models.transcribe(sound, requests);
    return { text: heard.trim(), requests: 2, characters: text.length, seconds: durationInSeconds };
  };

  return {
    options,
    speechModel: models.speechModel,
    transcriptionModel: models.transcriptionModel,
    hear: (text, given) =>
      text.trim() === ""
        ? Promise.resolve({ text: "", requests: 0, characters: 0, seconds: 0 })
        : slots(() => hear(text, given)),
  };
}
