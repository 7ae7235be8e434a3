import { createRandom } from "../../base/values/mod.ts";
import type { CallerSpeech } from "../../document/scenario/mod.ts";
import { FRAME_MS, isLoud } from "./level.ts";

/** Level of hold music and of the beep of a voicemail. */
const LEVEL = 6_000;
/** An A major chord, whose notes are within the band of a telephone. */
const CHORD_HZ = [440, 554, 659];
const BEEP_HZ = 1_000;
const BEEP_MS = 500;
/** Milliseconds after which the music begins a new note, so that nobody takes it for a dial tone. */
const NOTE_MS = 600;

/** Hold music: broken chords. */
export function holdMusic(ms: number, rate: number): Int16Array {
  const note = samplesOf(NOTE_MS, rate);
  return Int16Array.from({ length: samplesOf(ms, rate) }, (_, at) => {
    const hz = CHORD_HZ[Math.floor(at / note) % CHORD_HZ.length] ?? BEEP_HZ;
    const fade = 1 - (at % note) / note / 2;
    return Math.round(LEVEL * fade * Math.cos((2 * Math.PI * hz * at) / rate));
  });
}

/** A greeting with the beep behind it. */
export function withBeep(greeting: Int16Array, rate: number): Int16Array {
  const beep = Int16Array.from({ length: samplesOf(BEEP_MS, rate) }, (_, at) =>
    Math.round(LEVEL * Math.cos((2 * Math.PI * BEEP_HZ * at) / rate)),
  );
  const sound = new Int16Array(greeting.length + beep.length);
  sound.set(greeting);
  sound.set(beep, greeting.length);
  return sound;
}

/** Power of speech against which noise is measured until the caller has spoken: that of an ordinary voice. */
const USUAL_POWER = 2_500 ** 2;

/**
 * What the line of a caller does to each of its frames: noise in all of them, also between words, and lost packets, which
 * are silent. The same for every call, so that a run can be repeated. `undefined` for a good line.
 */
export function lineEffects(speech: CallerSpeech | undefined): ((frame: Int16Array) => Int16Array) | undefined {
  const { noise_db: noiseDb, packet_loss: loss } = speech ?? {};
  if (typeof noiseDb !== "number" && !loss) return undefined;
  const random = createRandom(`line ${noiseDb} ${loss}`);
  let power = USUAL_POWER;
  return (frame) => {
    if (loss && random() < loss) return new Int16Array(frame.length);
    if (typeof noiseDb !== "number") return frame;
    if (isLoud(frame, 300)) power = 0.8 * power + 0.2 * meanPower(frame);
    const level = Math.sqrt(power / 10 ** (noiseDb / 10));
    return frame.map((sample) => clamped(sample + level * gaussian(random)));
  };
}

function meanPower(frame: Int16Array): number {
  return frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length;
}

/** A normally distributed number with variance 1, by the Box-Muller transform. */
function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function clamped(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)));
}

function samplesOf(ms: number, rate: number): number {
  return Math.round((ms * rate) / 1000);
}

/** Milliseconds from one key to the next, as a person presses them. */
export const KEY_MS = 10 * FRAME_MS;
