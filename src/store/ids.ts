import { randomBytes } from "node:crypto";

// Crockford's alphabet: in the order of its characters, and without i, l, o and u, which are misread.
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 10;
// Ids of one millisecond that keep their order. 10 digits (50 bits) hold the time in these steps until the year 2109.
const STEPS_PER_MS = 256;

/**
 * A source of ids that sort by the time at which they were made, also several within one millisecond, and that no
 * other process makes (50 random bits beside the time): `0d9rk6t4h0x7w2p5ez1n`.
 */
export function createIdSource(now: () => number = Date.now): () => string {
  let last = 0;
  return () => {
    last = Math.max(now() * STEPS_PER_MS, last + 1);
    const random = [...randomBytes(RANDOM_DIGITS)].map((byte) => DIGITS[byte % 32]).join("");
    return timeDigits(last) + random;
  };
}

/** Whether a text can be the beginning of an id; others need not be looked up. */
export function isIdPrefix(text: string): boolean {
  return text.length > 0 && [...text].every((character) => DIGITS.includes(character));
}

function timeDigits(steps: number): string {
  let digits = "";
  for (let rest = steps; digits.length < TIME_DIGITS; rest = Math.floor(rest / 32)) digits = DIGITS[rest % 32] + digits;
  return digits;
}
