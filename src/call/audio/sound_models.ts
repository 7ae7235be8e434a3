import { aiSdk, answerInTime, type TimedRequest } from "../models/mod.ts";
import { audioModelName, resolveSpeech, resolveTranscription, soundFunctions } from "./models.ts";
import type { AudioOptions } from "./options.ts";

/** How a request to a model for sound is limited and repeated. */
export type SoundRequest = Omit<TimedRequest, "signature">;

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
    speak: async (text, voice, request) => {
      const { generateSpeech } = soundFunctions(await aiSdk());
      const given = { ...(voice === undefined ? {} : { voice }), ...(language === undefined ? {} : { language }) };
      const { audio } = await answerInTime(
        (abortSignal) =>
          generateSpeech({ model: speech, text, outputFormat: format, ...given, maxRetries: 0, abortSignal }),
        { ...request, signature: "speech" },
      );
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
