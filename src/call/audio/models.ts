import type { SpeechModel, TranscriptionModel } from "ai";
import { ModelError } from "../../base/errors.ts";
import { isRecord, shown } from "../../base/values/mod.ts";
import { compatibleProvider } from "../models/mod.ts";
import { offlineSpeech, offlineTranscription } from "./offline/mod.ts";
import type { SpeechReference, TranscriptionReference } from "./options.ts";

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
  const { provider, name } = await compatibleProvider(reference);
  return provider.speech(name);
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
  const { provider, name } = await compatibleProvider(reference);
  return provider.transcription(name);
}

/** The name of a model in results: `openai/tts-1`, `callweave/espeak-ng`. */
export function audioModelName({ provider, modelId }: { readonly provider: string; readonly modelId: string }): string {
  return `${provider.split(".")[0]}/${modelId}`;
}

function checked<Given>(model: Given, example: string): Given {
  if (isRecord(model) && typeof model.doGenerate === "function" && typeof model.provider === "string") return model;
  throw new ModelError(`Cannot use the audio model: it is ${shown(model)}`, {
    code: "unknown-model",
    path: ["audio"],
    hint: `Pass "provider/model", "offline", or a model of the AI SDK such as ${example}`,
  });
}
