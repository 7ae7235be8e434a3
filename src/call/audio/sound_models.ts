import { ModelError } from "../../base/errors.ts";
import { isRecord } from "../../base/values/mod.ts";
import { aiSdk, answerInTime, type TimedRequest } from "../models/mod.ts";
import { audioModelName, resolveSpeech, resolveTranscription, soundFunctions } from "./models.ts";
import type { AudioOptions } from "./options.ts";

/** How a request to a model for sound is limited and repeated. */
export type SoundRequest = Omit<TimedRequest, "signature">;

/** How a text is spoken, besides the voice. */
export interface SpeechManner {
  /** In place of the language of all texts. */
  readonly language?: string;
  /** 1 is the model's own speed. */
  readonly speed?: number;
}

/** A speech model and a transcription model. */
export interface SoundModels {
  readonly speechModel: string;
  readonly transcriptionModel: string;
  /**
   * Speaks a text.
   *
   * @param voice As the speech model names it; `undefined`: the model's own.
   * @throws {ModelError} `model-failed`, `model-timeout`, `key-refused`, `aborted`, `missing-program`.
   */
  readonly speak: (
    text: string,
    voice: string | undefined,
    request: SoundRequest,
    manner?: SpeechManner,
  ) => Promise<{ readonly uint8Array: Uint8Array; readonly mediaType: string }>;
  /**
   * Transcribes a sound file. The text is empty if the model hears no words.
   *
   * @throws {ModelError} Like `speak()`, and `audio-format`.
   */
  readonly transcribe: (
    audio: Uint8Array,
    request: SoundRequest,
  ) => Promise<{ readonly text: string; readonly durationInSeconds: number | undefined }>;
}

/** Name of the AI SDK's error for a transcription without words; matched by name, as several copies may be installed. */
const NOTHING_HEARD = "AI_NoTranscriptGeneratedError";

/**
 * Resolves the models for sound.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`.
 */
export async function createSoundModels({
  format = "wav",
  language,
  ...options
}: Pick<AudioOptions, "speech" | "transcription" | "format"> & {
  readonly language?: string | undefined;
}): Promise<SoundModels> {
  const [speech, transcription] = await Promise.all([
    resolveSpeech(options.speech),
    resolveTranscription(options.transcription),
  ]);
  return {
    speechModel: audioModelName(speech),
    transcriptionModel: audioModelName(transcription),
    speak: async (text, voice, request, manner = {}) => {
      const { generateSpeech } = soundFunctions(await aiSdk());
      const given = {
        ...(voice === undefined ? {} : { voice }),
        ...(language === undefined ? {} : { language }),
        ...manner,
      };
      const { audio, warnings } = await answerInTime(
        (abortSignal) =>
          generateSpeech({ model: speech, text, outputFormat: format, ...given, maxRetries: 0, abortSignal }),
        { ...request, signature: "speech" },
      );
      const ignored = Object.keys(manner).find((key) => warnings.some((warning) => isAbout(warning, key)));
      if (ignored !== undefined) throw unspoken(audioModelName(speech), ignored);
      return audio;
    },
    transcribe: async (audio, request) => {
      const { transcribe } = soundFunctions(await aiSdk());
      return await answerInTime(
        async (abortSignal) => {
          try {
            return await transcribe({ model: transcription, audio, maxRetries: 0, abortSignal });
          } catch (error) {
            if (error instanceof Error && error.name === NOTHING_HEARD)
              return { text: "", durationInSeconds: undefined };
            throw error;
          }
        },
        { ...request, signature: "transcription" },
      );
    },
  };
}

/** Whether a warning says that a model does not know a setting. Versions of the AI SDK name it differently. */
function isAbout(warning: unknown, key: string): boolean {
  return isRecord(warning) && (warning.feature === key || warning.setting === key);
}

/** A scenario's caller would speak otherwise than it says. */
function unspoken(model: string, key: string): ModelError {
  return new ModelError(`Cannot speak for the caller: "${model}" does not know the ${key} of .speaks()`, {
    code: "model-output",
    path: ["speaks", key === "speed" ? "rate" : key],
    hint: "Use another speech model, or leave it out of the scenario",
  });
}
