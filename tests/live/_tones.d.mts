/** What both sides say. */
export const TEXTS: readonly string[];
/** A reply of 9 s, in which the caller interrupts. */
export const LONG_REPLY: string;
/** The frequency of each, in Hz. */
export const FREQUENCIES: readonly number[];
/** The tones of a text, one a sentence. */
export function spoken(text: string, rate: number): Int16Array;
/** The sentences whose tones are in a sound, whatever is missing of them; empty for silence. */
export function heard(samples: Int16Array, rate: number): string;
/** Hears the other side. */
export class Ear {
  /** @param quietMs Silence after which the other side has finished. Default: 600. */
  constructor(rate: number, quietMs?: number);
  /** Returns the other side's text when it is silent. */
  hear(samples: Int16Array): string | undefined;
}
