import { Buffer } from "node:buffer";
import type { SpeechModelV3, TranscriptionModelV3 } from "@ai-sdk/provider";
import { readWave, toInt16, writeWave } from "../../../src/call/audio/mod.ts";
import type { CallerVoice } from "../../../src/call/voice/mod.ts";

export const RATE = 8000;

/** A sine as loud as speech. */
export function tone(hz: number, ms: number, { level = 8000, rate = RATE } = {}): Int16Array {
  const length = Math.round((ms * rate) / 1000);
  // it begins and ends at its loudest, so that its ends are exact
  return Int16Array.from({ length }, (_, at) => Math.round(level * Math.cos((2 * Math.PI * hz * at) / rate)));
}

export function silence(ms: number, rate = RATE): Int16Array {
  return new Int16Array(Math.round((ms * rate) / 1000));
}

/** The same noise in each run. */
export function noise(ms: number, { level = 8000, rate = RATE } = {}): Int16Array {
  let state = 1;
  return Int16Array.from({ length: Math.round((ms * rate) / 1000) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round(level * (state / 2 ** 31 - 1));
  });
}

export function joined(...parts: readonly Int16Array[]): Int16Array {
  return Int16Array.from(parts.flatMap((part) => [...part]));
}

/** Frequencies that stand for words of the agent. */
export const WORDS: ReadonlyMap<number, string> = new Map([
  [440, "Hello, how can I help?"],
  [600, "It arrives on Monday."],
  [800, "Goodbye!"],
  [1000, "One moment."],
]);

/** The words of a sound, by the strongest frequency of each 20 ms. */
export function wordsIn(samples: Int16Array, rate: number): string {
  const size = rate / 50;
  const found: number[] = [];
  for (let at = 0; at + size <= samples.length; at += size) {
    const frame = samples.subarray(at, at + size);
    const [best] = [...WORDS.keys()]
      .map((hz) => [hz, powerAt(frame, hz, rate)] as const)
      .sort(([, one], [, other]) => other - one);
    if (best && best[1] > 1000 && found.at(-1) !== best[0]) found.push(best[0]);
  }
  return found.map((hz) => WORDS.get(hz)).join(" ");
}

function powerAt(frame: Int16Array, hz: number, rate: number): number {
  let [real, imaginary] = [0, 0];
  for (const [at, sample] of frame.entries()) {
    real += sample * Math.cos((2 * Math.PI * hz * at) / rate);
    imaginary += sample * Math.sin((2 * Math.PI * hz * at) / rate);
  }
  return Math.hypot(real, imaginary) / frame.length;
}

/** A caller that hums for 50 ms a letter, and reads the words of tones. */
export const HUMMING: CallerVoice = {
  speak: async (text, rate) => tone(300, text.length * 50, { rate }),
  transcribe: async (samples, rate) => wordsIn(samples, rate),
};

/** Like {@link HUMMING}, as models of the AI SDK; the speech has another rate, and silence around it. */
export function hummingModels(): { readonly speech: SpeechModelV3; readonly transcription: TranscriptionModelV3 } {
  const response = { timestamp: new Date(0), modelId: "tones" };
  return {
    speech: {
      specificationVersion: "v3",
      provider: "tests",
      modelId: "tones",
      doGenerate: async ({ text }) => {
        const rate = 24_000;
        const samples = joined(silence(400, rate), tone(300, text.length * 50, { rate }), silence(700, rate));
        return { audio: writeWave({ rate, samples: Float64Array.from(samples) }), warnings: [], response };
      },
    },
    transcription: {
      specificationVersion: "v3",
      provider: "tests",
      modelId: "tones",
      doGenerate: async ({ audio }) => {
        const sound = await readWave(typeof audio === "string" ? new Uint8Array(Buffer.from(audio, "base64")) : audio);
        const text = wordsIn(toInt16(sound), sound.rate);
        return { text, segments: [], language: "en", durationInSeconds: 1, warnings: [], response };
      },
    },
  };
}
