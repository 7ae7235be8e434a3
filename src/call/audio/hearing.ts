import pLimit from "p-limit";
import { type Clock, SYSTEM_CLOCK } from "../../base/values/mod.ts";
import {
  aiSdk,
  answerInTime,
  DEFAULT_TRY_TIMEOUT_MS,
  type RequestOptions,
  type Retry,
  type TimedRequest,
} from "../models/mod.ts";
import { overPhone, readWave, writeWave } from "./line.ts";
import { audioModelName, keepSound, resolveSpeech, resolveTranscription, soundFunctions } from "./models.ts";
import { type AudioOptions, DEFAULT_AUDIO_CONCURRENCY, lineOf } from "./options.ts";

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

/** Name of the AI SDK's error for a transcription without words; matched by name, as several copies may be installed. */
const NOTHING_HEARD = "AI_NoTranscriptGeneratedError";

/**
 * Resolves the models of a run's audio.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`.
 */
export async function createHearing(
  options: AudioOptions,
  { tryTimeoutMs = DEFAULT_TRY_TIMEOUT_MS, retry = {} }: Pick<RequestOptions, "tryTimeoutMs" | "retry"> = {},
): Promise<Hearing> {
  const [speech, transcription] = await Promise.all([
    resolveSpeech(options.speech),
    resolveTranscription(options.transcription),
  ]);
  const slots = pLimit(options.concurrency ?? DEFAULT_AUDIO_CONCURRENCY);
  const { voice, callerVoice = voice, language, format = "wav", keep } = options;
  const line = lineOf(options);

  const speak = async (text: string, { role }: HearOptions, requests: Omit<TimedRequest, "signature">) => {
    const { generateSpeech } = soundFunctions(await aiSdk());
    const own = role === "user" ? callerVoice : voice;
    const given = { ...(own === undefined ? {} : { voice: own }), ...(language === undefined ? {} : { language }) };
    const { audio } = await answerInTime(
      (abortSignal) =>
        generateSpeech({ model: speech, text, outputFormat: format, ...given, maxRetries: 0, abortSignal }),
      { ...requests, signature: "speech" },
    );
    return audio;
  };

  const transcribed = async (audio: Uint8Array, requests: Omit<TimedRequest, "signature">) => {
    const { transcribe } = soundFunctions(await aiSdk());
    return await answerInTime(
      async (abortSignal) => {
        try {
          return await transcribe({ model: transcription, audio, maxRetries: 0, abortSignal });
        } catch (error) {
          if (error instanceof Error && error.name === NOTHING_HEARD) return { text: "", durationInSeconds: undefined };
          throw error;
        }
      },
      { ...requests, signature: "transcription" },
    );
  };

  const hear = async (text: string, hearOptions: HearOptions): Promise<Heard> => {
    const { signal, onRetry, timers = SYSTEM_CLOCK } = hearOptions;
    const requests = { tryTimeoutMs, policy: retry, signal, onRetry, timers };
    const place = hearOptions.place.join("/");
    const spoken = await speak(text, hearOptions, requests);
    const isBare = format.startsWith("pcm");
    const bare = isBare ? await writeWave(await readWave(spoken.uint8Array, format)) : spoken.uint8Array;
    const sound = line ? await overPhone(bare, line, { place }) : bare;
    if (keep !== undefined)
      await keepSound(keep, hearOptions.place, sound, line || isBare ? "audio/wav" : spoken.mediaType);
    const { text: heard, durationInSeconds = 0 } = await transcribed(sound, requests);
    return { text: heard.trim(), requests: 2, characters: text.length, seconds: durationInSeconds };
  };

  return {
    options,
    speechModel: audioModelName(speech),
    transcriptionModel: audioModelName(transcription),
    hear: (text, given) =>
      text.trim() === ""
        ? Promise.resolve({ text: "", requests: 0, characters: 0, seconds: 0 })
        : slots(() => hear(text, given)),
  };
}
