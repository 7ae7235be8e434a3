import { Buffer } from "node:buffer";
import type { SpeechModelV3, TranscriptionModelV3 } from "@ai-sdk/provider";
import { readWave, toInt16, writePcmWave } from "../../../src/call/audio/mod.ts";
import { joined, silence, tone } from "./_tones.ts";

/** Speech of which words survive every line: a text is spoken as the tones of its number in a list. */
const TEXTS: string[] = [];
/** Tones of one digit each; the first one begins a text. */
const FREQUENCIES = [500, 700, 900, 1100, 1300, 1500, 1700, 1900, 2100];
const BASE = FREQUENCIES.length - 1;
const DIGITS = 5;
const TONE_MS = 40;
/** Milliseconds of a spoken text, without the silence behind it. */
export const SPOKEN_MS = TONE_MS * (DIGITS + 1);

/** Speaks a text, with a short silence behind it. */
export function spoken(text: string, rate: number): Int16Array {
  const found = TEXTS.indexOf(text);
  const number = found >= 0 ? found : TEXTS.push(text) - 1;
  const digits = number.toString(BASE).padStart(DIGITS, "0");
  const tones = [FREQUENCIES[0] ?? 0, ...[...digits].map((digit) => FREQUENCIES[Number(digit) + 1] ?? 0)];
  return joined(...tones.map((hz) => tone(hz, TONE_MS, { rate, level: 9000 })), silence(80, rate));
}

/** The texts in a sound, joined by spaces. */
export function heard(samples: Int16Array, rate: number): string {
  const size = (TONE_MS * rate) / 1000;
  const step = Math.round(rate / 100);
  const found: string[] = [];
  for (let at = 0; at + size * (DIGITS + 1) <= samples.length + step; at += step) {
    if (Math.abs(samples[at] ?? 0) < 2000 && !samples.subarray(at, at + step).some((each) => Math.abs(each) > 3000))
      continue;
    const start =
      at +
      Math.max(
        0,
        samples.subarray(at, at + step).findIndex((each) => Math.abs(each) > 3000),
      );
    const digits = Array.from({ length: DIGITS + 1 }, (_, index) => {
      const from = Math.round(start + (index + 0.2) * size);
      return loudest(samples.subarray(from, Math.round(from + 0.6 * size)), rate);
    });
    if (digits[0] !== 0 || digits.slice(1).some((digit) => digit < 1)) continue;
    const text =
      TEXTS[
        Number.parseInt(
          digits
            .slice(1)
            .map((digit) => digit - 1)
            .join(""),
          BASE,
        )
      ];
    if (text !== undefined) found.push(text);
    at = Math.round(start + (DIGITS + 1) * size) - step;
  }
  return found.join(" ");
}

/** The place of the loudest frequency of a part; -1 if it is silent. */
function loudest(part: Int16Array, rate: number): number {
  const powers = FREQUENCIES.map((hz) => {
    let [real, imaginary] = [0, 0];
    for (let at = 0; at < part.length; at++) {
      const angle = (2 * Math.PI * hz * at) / rate;
      real += (part[at] ?? 0) * Math.cos(angle);
      imaginary += (part[at] ?? 0) * Math.sin(angle);
    }
    return Math.hypot(real, imaginary) / Math.max(1, part.length);
  });
  const most = Math.max(...powers);
  return most < 1500 ? -1 : powers.indexOf(most);
}

/** The ears of an agent behind a test's server: they count the caller's frames, so that no machine is too slow. */
export class Ear {
  readonly #rate: number;
  readonly #quietMs: number;
  #sound: Int16Array[] = [];
  #quiet = 0;
  /** Milliseconds of the caller's sound so far. */
  nowMs = 0;
  /** Milliseconds at which the caller's last voiced sample ended. */
  voiceMs = 0;

  /** @param quietMs Silence after which the caller's turn is over. */
  constructor(rate: number, quietMs = 240) {
    this.#rate = rate;
    this.#quietMs = quietMs;
  }

  /** Whether the caller is speaking. */
  get isHearing(): boolean {
    return this.#sound.length > 0;
  }

  /** Hears a part of the caller's sound. Returns the caller's words when it is silent. */
  hear(samples: Int16Array): string | undefined {
    const loud = samples.findLastIndex((sample) => Math.abs(sample) > 1000);
    const ms = (samples.length / this.#rate) * 1000;
    if (loud >= 0) this.voiceMs = this.nowMs + ((loud + 1) / this.#rate) * 1000;
    this.nowMs += ms;
    if (loud < 0 && this.#sound.length === 0) return undefined;
    this.#sound.push(samples.slice());
    this.#quiet = loud >= 0 ? 0 : this.#quiet + ms;
    if (this.#quiet < this.#quietMs) return undefined;
    const text = heard(joined(...this.#sound), this.#rate);
    [this.#sound, this.#quiet] = [[], 0];
    return text;
  }
}

/** The models of a caller whose words survive. */
export function spokenModels(): { readonly speech: SpeechModelV3; readonly transcription: TranscriptionModelV3 } {
  const response = { timestamp: new Date(0), modelId: "spoken" };
  const about = { specificationVersion: "v3" as const, provider: "tests", modelId: "spoken" };
  return {
    speech: {
      ...about,
      doGenerate: async ({ text }) => {
        const audio = writePcmWave({ rate: 16_000, channels: [spoken(text, 16_000)] });
        return { audio, warnings: [], response };
      },
    },
    transcription: {
      ...about,
      doGenerate: async ({ audio }) => {
        const sound = await readWave(typeof audio === "string" ? new Uint8Array(Buffer.from(audio, "base64")) : audio);
        const text = heard(toInt16(sound), sound.rate);
        return { text, segments: [], language: "en", durationInSeconds: 1, warnings: [], response };
      },
    },
  };
}

export { FAST } from "./_fast_clock.ts";
