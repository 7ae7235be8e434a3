import { randomBytes } from "node:crypto";

// Crockford's base-32 alphabet: sorted, and without i, l, o and u, which are easily misread
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 10;
// Ids created in the same millisecond keep their order. 10 digits (50 bits) hold the time in these steps until 2109.
const STEPS_PER_MS = 256;

/**
 * Creates a source of ids such as `0d9rk6t4h0x7w2p5ez1n`. Ids sort by creation time, also within a millisecond, and are
 * unique across processes (50 random bits).
 */
export function createIdSource(now: () => number = Date.now): () => string {
  let last = 0;
  return () => {
    last = Math.max(now() * STEPS_PER_MS, last + 1);
    const random = [...randomBytes(RANDOM_DIGITS)].map((byte) => DIGITS[byte % 32]).join("");
    return timeDigits(last) + random;
  };
}

/** Returns an id of the same form that depends only on the bytes, of which there are at least 20. It has no time. */
export function idFromBytes(bytes: Uint8Array): string {
  return [...bytes.subarray(0, TIME_DIGITS + RANDOM_DIGITS)].map((byte) => DIGITS[byte % 32]).join("");
}

/** Whether a text can be a prefix of an id. */
export function isIdPrefix(text: string): boolean {
  return text.length > 0 && [...text].every((character) => DIGITS.includes(character));
}

function timeDigits(steps: number): string {
  let digits = "";
  for (let rest = steps; digits.length < TIME_DIGITS; rest = Math.floor(rest / 32)) digits = DIGITS[rest % 32] + digits;
  return digits;
}
