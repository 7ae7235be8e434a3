import { Buffer } from "node:buffer";
import type { TranscriptionModelV3 } from "@ai-sdk/provider";
import { readWave, toInt16 } from "../../../src/call/audio/mod.ts";
import { heard, spokenModels } from "../voice/_spoken.ts";
import { joined } from "../voice/_tones.ts";

/** Packets arrive one by one: on a slow machine, a fast clock puts silence between them, which is no part of the words. */
function withoutGaps(samples: Int16Array, rate: number): Int16Array {
  const size = rate / 200;
  const blocks = Array.from({ length: Math.ceil(samples.length / size) }, (_, at) =>
    samples.subarray(at * size, (at + 1) * size),
  );
  return joined(...blocks.filter((block) => block.some((sample) => Math.abs(sample) > 3_000)));
}

const transcription: TranscriptionModelV3 = {
  ...spokenModels().transcription,
  doGenerate: async ({ audio }) => {
    const sound = await readWave(typeof audio === "string" ? new Uint8Array(Buffer.from(audio, "base64")) : audio);
    const text = heard(withoutGaps(toInt16(sound), sound.rate), sound.rate);
    const response = { timestamp: new Date(0), modelId: "spoken" };
    return { text, segments: [], language: "en", durationInSeconds: 1, warnings: [], response };
  },
};

/** How callers of the tests speak and hear over WebRTC. An agent that answers has time for it on any machine. */
export const RTC_CALLER = {
  ...spokenModels(),
  transcription,
  hangUpMs: 8_000,
  concurrency: 64,
  turns: { endMs: 800, giveUpMs: 300_000 },
};
