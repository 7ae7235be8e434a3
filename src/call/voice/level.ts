/** Milliseconds of a frame: what is sent at once, and what is voice or not as a whole. */
export const FRAME_MS = 20;

/** A part of a sound, in samples from the start of a call; `until` is behind it. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** The level of a number of decibels below the loudest sample of 16 bit. */
export function levelOf(db: number): number {
  return 32_768 * 10 ** (db / 20);
}

/** Whether the samples are as loud as a level (root mean square). */
export function isLoud(samples: Int16Array, level: number): boolean {
  let power = 0;
  for (const sample of samples) power += sample * sample;
  return samples.length > 0 && power >= level * level * samples.length;
}

/** The first of the samples that is as loud as the level, counted from 0; -1 without one. */
export function firstLoud(samples: Int16Array, level: number): number {
  return samples.findIndex((sample) => Math.abs(sample) >= level);
}

/** The last of the samples that is as loud as the level; -1 without one. */
export function lastLoud(samples: Int16Array, level: number): number {
  return samples.findLastIndex((sample) => Math.abs(sample) >= level);
}
