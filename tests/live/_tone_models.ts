import { Buffer } from "node:buffer";
import type { SpeechModelV3, TranscriptionModelV3 } from "@ai-sdk/provider";
import { readWave, toInt16, writePcmWave } from "../../src/call/audio/mod.ts";
import { heard, spoken } from "./_tones.mjs";

const RATE = 16_000;

/** The models of a caller whose words survive a real network. */
export function toneModels(): { readonly speech: SpeechModelV3; readonly transcription: TranscriptionModelV3 } {
  const response = { timestamp: new Date(0), modelId: "tones" };
  const about = { specificationVersion: "v3" as const, provider: "tests", modelId: "tones" };
  return {
    speech: {
      ...about,
      doGenerate: async ({ text }) => {
        const audio = writePcmWave({ rate: RATE, channels: [spoken(text, RATE)] });
        return { audio, warnings: [], response };
      },
    },
    transcription: {
      ...about,
      doGenerate: async ({ audio }) => {
        const bytes = typeof audio === "string" ? new Uint8Array(Buffer.from(audio, "base64")) : audio;
        const sound = await readWave(bytes);
        const text = heard(toInt16(sound), sound.rate);
        return { text, segments: [], language: "en", durationInSeconds: 1, warnings: [], response };
      },
    },
  };
}
