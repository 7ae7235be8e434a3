import { join } from "node:path";
import type { SpeechModel, TranscriptionModel } from "ai";
import { ModelError } from "../../base/errors.ts";
import { fileProblem, writeFileTo } from "../../base/files/mod.ts";
import { isRecord, shown } from "../../base/values/mod.ts";
import { namedModel } from "../models/mod.ts";
import { offlineSpeech, offlineTranscription } from "./offline.ts";
import type { SpeechReference, TranscriptionReference } from "./options.ts";

/** The AI SDK's functions for sound, under the names of its versions. */
export interface SoundSdk<Speak, Transcribe> {
  readonly generateSpeech?: Speak;
  readonly transcribe?: Transcribe;
  readonly experimental_generateSpeech: Speak;
  readonly experimental_transcribe: Transcribe;
}

/**
 * Returns the AI SDK's functions for speech and transcription. Version 6 has them as experimental ones; version 7 has
 * both names, and prints a deprecation warning for the experimental ones.
 */
export function soundFunctions<Speak, Transcribe>(sdk: SoundSdk<Speak, Transcribe>) {
  return {
    generateSpeech: sdk.generateSpeech ?? sdk.experimental_generateSpeech,
    transcribe: sdk.transcribe ?? sdk.experimental_transcribe,
  };
}

const ENDINGS = new Map([
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/mpeg", "mp3"],
  ["audio/mp3", "mp3"],
]);
/** Maximum length of a part of a file name. */
const LONGEST = 60;

/**
 * Writes the sound of a message to a file that only this user can read, named after its place: `order-1-1-03-user.wav`.
 *
 * @throws {ModelError} `unwritable-file`.
 */
export async function keepSound(
  folder: string,
  place: readonly (string | number)[],
  sound: Uint8Array,
  mediaType: string,
): Promise<void> {
  const words = place.map((part) =>
    String(part)
      .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
      .slice(0, LONGEST),
  );
  const ending = ENDINGS.get(mediaType) ?? mediaType.replace(/^.*\//, "").replaceAll(/\W/g, "");
  const path = join(folder, `${words.join("-")}.${ending}`);
  try {
    await writeFileTo(path, sound, { mode: 0o600 });
  } catch (error) {
    const { state, hint } = fileProblem(error, "write");
    throw new ModelError(`Cannot keep the sound of a message in "${folder}": ${state}`, {
      code: "unwritable-file",
      path: ["audio", "keep"],
      hint,
      cause: error,
    });
  }
}

/** Name of the offline models on the command line. */
const OFFLINE = "offline";

/**
 * Resolves a reference to a speech model: `offline` is espeak-ng; other references resolve like those of language models.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`.
 */
export async function resolveSpeech(reference: SpeechReference = OFFLINE): Promise<Exclude<SpeechModel, string>> {
  if (typeof reference !== "string") return checked(reference, 'openai.speech("gpt-4o-mini-tts")');
  if (reference === OFFLINE) return offlineSpeech();
  return await namedModel(
    reference,
    "speech",
    (provider, name) => provider.speech(name),
    (made) => checked(made, 'openai.speech("gpt-4o-mini-tts")'),
  );
}

/**
 * Resolves a reference to a transcription model: `offline` is pocketsphinx; other references resolve like those of language
 * models.
 *
 * @throws {ModelError} `unknown-model`, `missing-key-variable`.
 */
export async function resolveTranscription(
  reference: TranscriptionReference = OFFLINE,
): Promise<Exclude<TranscriptionModel, string>> {
  if (typeof reference !== "string") return checked(reference, 'openai.transcription("gpt-4o-mini-transcribe")');
  if (reference === OFFLINE) return offlineTranscription();
  return await namedModel(
    reference,
    "transcription",
    (provider, name) => provider.transcription(name),
    (made) => checked(made, 'openai.transcription("gpt-4o-mini-transcribe")'),
  );
}

/** The name of a model in results: `openai/tts-1`, `callweave/espeak-ng`. */
export function audioModelName({ provider, modelId }: { readonly provider: string; readonly modelId: string }): string {
  return `${provider.split(".")[0]}/${modelId}`;
}

function checked<Wanted>(model: unknown, example: string): Wanted {
  if (isAudioModel<Wanted>(model)) return model;
  throw new ModelError(`Cannot use the audio model: it is ${shown(model)}`, {
    code: "unknown-model",
    path: ["audio"],
    hint: `Pass "provider/model", "offline", or a model of the AI SDK such as ${example}`,
  });
}

/** Models for speech and for transcription have the same keys. */
function isAudioModel<Wanted>(model: unknown): model is Wanted {
  return isRecord(model) && typeof model.doGenerate === "function" && typeof model.provider === "string";
}
