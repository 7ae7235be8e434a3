import { createHash } from "node:crypto";

/**
 * Random numbers from 0 to below 1 that are the same for the same seed, on every machine: mulberry32, whose state is one
 * number of 32 bits. It is for speed and repetition, not for secrecy.
 */
export function createRandom(seed: string): () => number {
  let state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
