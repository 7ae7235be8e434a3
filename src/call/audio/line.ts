import type { WaveFile } from "wavefile";
import { ModelError } from "../../base/errors.ts";
import { createRandom, madeOnce } from "../../base/values/mod.ts";
import { decodeMuLaw, encodeMuLaw } from "./mu_law.ts";
import type { PhoneLine } from "./options.ts";
import { readPcmWave, writePcmWave } from "./pcm_wave.ts";
import { resample } from "./resample.ts";

const LINE_RATE = 8000;
/** Samples of a packet of 20 ms. */
const PACKET = 160;
/** Quieter samples are pauses: they do not count as speech when noise is measured against it. */
const PAUSE = 100;

/**
 * Simulates a telephone line: 8 kHz, noise, µ-law, and lost packets, which are silent.
 *
 * @param place The slot of the sound in the run. It is part of the seed, so that each message has its own noise.
 * @throws {ModelError} `audio-format` if the sound is not a WAV file.
 */
export async function overPhone(
  sound: Uint8Array,
  { snrDb, packetLoss = 0, seed = 1 }: PhoneLine,
  { place, format }: { readonly place: string; readonly format?: string },
): Promise<Uint8Array> {
  const random = createRandom(`${seed}:${place}`);
  const narrow = atRate(await readWave(sound, format), LINE_RATE);
  const noisy = snrDb === undefined ? narrow : withNoise(narrow, snrDb, random);
  return writeWave(withLoss(throughMuLaw(noisy), packetLoss, random));
}

function withNoise({ rate, samples }: Sound, snrDb: number, random: () => number): Sound {
  const speech = samples.filter((sample) => Math.abs(sample) >= PAUSE);
  const power = speech.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, speech.length);
  const level = Math.sqrt(power / 10 ** (snrDb / 10));
  return { rate, samples: samples.map((sample) => sample + level * gaussian(random)) };
}

function withLoss({ rate, samples }: Sound, packetLoss: number, random: () => number): Sound {
  if (packetLoss === 0) return { rate, samples };
  const left = samples.slice();
  for (let at = 0; at < left.length; at += PACKET) {
    if (random() < packetLoss) left.fill(0, at, at + PACKET);
  }
  return { rate, samples: left };
}

/** A normally distributed number with variance 1, by the Box-Muller transform. */
function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Sound with one channel; samples from -32768 to 32767. */
export interface Sound {
  readonly rate: number;
  readonly samples: Float64Array;
}

const HEADER_BYTES = 12;
const DATA_CHUNK = 0x64617461;
const BARE_SAMPLES = /^pcm_(\d+)$/;

/** The library, loaded on first use. Bundlers and runtimes disagree on where the class is. */
const waveFile = madeOnce(async (): Promise<typeof WaveFile> => {
  const module: { readonly WaveFile?: typeof WaveFile; readonly default?: { readonly WaveFile: typeof WaveFile } } =
    await import("wavefile");
  const found = module.WaveFile ?? module.default?.WaveFile;
  if (!found) throw new TypeError("unreachable: wavefile exports WaveFile");
  return found;
});

/**
 * Reads a WAV file of any rate, depth and number of channels.
 *
 * @param format Format that was requested from the speech model; `pcm_16000` is raw samples of 16 bit without a header.
 * @throws {ModelError} `audio-format` for other sound, such as MP3.
 */
export async function readWave(bytes: Uint8Array, format = "wav"): Promise<Sound> {
  const rate = BARE_SAMPLES.exec(format)?.[1];
  if (rate !== undefined && !isRiff(bytes)) return bareSound(bytes, Number(rate));
  if (!isRiff(bytes)) throw notWave(format);
  const usual = readPcmWave(bytes);
  if (usual) return { rate: usual.rate, samples: mixed(usual.channels.map((channel) => Float64Array.from(channel))) };
  try {
    const wave = new (await waveFile())(withTrueLength(bytes));
    wave.toBitDepth("16");
    const samples: unknown = wave.getSamples(false, Float64Array);
    const { sampleRate } = wave.fmt as { readonly sampleRate: number }; // declared as an object without fields
    return { rate: sampleRate, samples: samples instanceof Float64Array ? samples : mixed(samples) };
  } catch (error) {
    throw notWave(format, error);
  }
}

/** Writes a WAV file with 16 bit samples. */
export function writeWave(sound: Sound): Uint8Array {
  return writePcmWave({ rate: sound.rate, channels: [toInt16(sound)] });
}

/** Resamples a sound; frequencies that the new rate cannot represent are filtered out. */
export function atRate({ rate: from, samples }: Sound, rate: number): Sound {
  return { rate, samples: resample(samples, from, rate) };
}

/** Sends samples through the µ-law codec, which keeps 8 bits of each. */
function throughMuLaw(sound: Sound): Sound {
  return { rate: sound.rate, samples: Float64Array.from(decodeMuLaw(encodeMuLaw(toInt16(sound)))) };
}

/** The samples of a sound as 16 bit. */
export function toInt16({ samples }: Sound): Int16Array {
  const all = new Int16Array(samples.length);
  for (let at = 0; at < all.length; at++) all[at] = clamped(samples[at] ?? 0);
  return all;
}

function clamped(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)));
}

function isRiff(bytes: Uint8Array): boolean {
  return bytes.length > HEADER_BYTES && String.fromCharCode(...bytes.subarray(0, 4)) === "RIFF";
}

function bareSound(bytes: Uint8Array, rate: number): Sound {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = Float64Array.from({ length: bytes.length >> 1 }, (_, index) => view.getInt16(index * 2, true));
  return { rate, samples };
}

/** The mean of several channels. */
function mixed(channels: unknown): Float64Array {
  const all = (Array.isArray(channels) ? channels : []).filter((each) => each instanceof Float64Array);
  const [first = new Float64Array()] = all;
  if (all.length === 1) return first;
  return first.map((_, index) => all.reduce((sum, channel) => sum + (channel[index] ?? 0), 0) / all.length);
}

/** Corrects the lengths in a WAV header that a streaming server wrote before the sound was complete. */
function withTrueLength(given: Uint8Array): Uint8Array {
  const bytes = given.slice();
  const view = new DataView(bytes.buffer);
  view.setUint32(4, bytes.length - 8, true);
  for (let at = HEADER_BYTES; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    const left = bytes.length - at - 8;
    if (view.getUint32(at) === DATA_CHUNK && length > left) view.setUint32(at + 4, left, true);
    at += 8 + Math.min(length, left) + (length % 2);
  }
  return bytes;
}

function notWave(format: string, cause?: unknown): ModelError {
  return new ModelError(`Cannot change the sound of the speech model: "${format}" gave no WAV file`, {
    code: "audio-format",
    path: ["audio", "format"],
    hint: 'Use a speech model that writes WAV, set audio.format to one such as "pcm_16000", or set audio.line to false',
    ...(cause === undefined ? {} : { cause }),
  });
}
