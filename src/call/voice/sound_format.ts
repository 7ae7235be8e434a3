import { createResampler, decodeMuLaw, encodeMuLaw } from "../audio/mod.ts";

/** How a platform writes sound with one channel: `pcm` has 16 bit, the lower byte first. */
export interface SoundFormat {
  readonly encoding: "pcm" | "mulaw";
  /** Samples per second. */
  readonly rate: number;
}

/** Reads sound that arrives in parts, and converts it to a rate. A sample may be divided over two parts. */
export function createSoundReader({ encoding, rate }: SoundFormat, to: number): (bytes: Uint8Array) => Int16Array {
  const convert = createResampler(rate, to);
  if (encoding === "mulaw") return (bytes) => convert(decodeMuLaw(bytes));
  let rest: number | undefined;
  return (bytes) => {
    const whole = rest === undefined ? bytes : Uint8Array.of(rest, ...bytes);
    rest = whole.length % 2 === 1 ? whole.at(-1) : undefined;
    const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
    const samples = new Int16Array(whole.length >> 1);
    for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(2 * at, true);
    return convert(samples);
  };
}

/** Writes sound in parts, converted from a rate. */
export function createSoundWriter({ encoding, rate }: SoundFormat, from: number): (samples: Int16Array) => Uint8Array {
  const convert = createResampler(from, rate);
  if (encoding === "mulaw") return (samples) => encodeMuLaw(convert(samples));
  return (samples) => {
    const converted = convert(samples);
    const bytes = new Uint8Array(2 * converted.length);
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < converted.length; at++) view.setInt16(2 * at, converted[at] ?? 0, true);
    return bytes;
  };
}
