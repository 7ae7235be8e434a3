import type { SpeechModelV3 } from "@ai-sdk/provider";
import { runInstalledProgram } from "./run_program.ts";

/** pocketsphinx understands this voice of espeak-ng best. */
const VOICE = "en-us+klatt3";
const WORDS_PER_MINUTE = 150;

/**
 * A speech model of the AI SDK around espeak-ng, a local program: deterministic, no key, no network. Its voices
 * are those of `espeak-ng --voices`; unknown names fall back to its default voice.
 *
 * @throws {ModelError} From `doGenerate`: `missing-program`, `model-failed`, `model-timeout`.
 */
export function offlineSpeech(): SpeechModelV3 {
  return {
    specificationVersion: "v3",
    provider: "callweave",
    modelId: "espeak-ng",
    doGenerate: async ({ text, voice, language, speed = 1, abortSignal }) => {
      const spoken = voice ?? (language === undefined || language === "en" ? VOICE : language);
      const rate = String(Math.round(WORDS_PER_MINUTE * speed));
      const audio = await runInstalledProgram(
        {
          command: "espeak-ng",
          args: ["--stdin", "--stdout", "-b", "1", "-s", rate, "-v", spoken],
          packages: "espeak-ng",
          input: text,
        },
        abortSignal,
      );
      return { audio, warnings: [], response: { timestamp: new Date(), modelId: "espeak-ng" } };
    },
  };
}
