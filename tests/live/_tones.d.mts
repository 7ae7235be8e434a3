/** What both sides say. */
export const TEXTS: readonly string[];
/** The frequency of each, in Hz. */
export const FREQUENCIES: readonly number[];
/** The tone of a text. */
export function spoken(text: string, rate: number): Int16Array;
/** The text whose tone is the loudest in a sound. */
export function heard(samples: Int16Array, rate: number): string;
