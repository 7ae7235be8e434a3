import type { PhoneLine } from "../options.ts";
import { createRandom, gaussian } from "./random.ts";
import { atRate, readWave, type Sound, throughMuLaw, writeWave } from "./wave.ts";

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
  const narrow = await atRate(await readWave(sound, format), LINE_RATE);
  const noisy = snrDb === undefined ? narrow : withNoise(narrow, snrDb, random);
  return await writeWave(withLoss(await throughMuLaw(noisy), packetLoss, random));
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
