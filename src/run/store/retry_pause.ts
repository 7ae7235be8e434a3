import { isBusy } from "./database/mod.ts";

const FIRST_MS = 50;
const LONGEST_MS = 5_000;
/** Limit of the pause when the database is locked, because another process's write is short. */
const LONGEST_BUSY_MS = 250;

/**
 * Returns the pause before the next attempt in milliseconds. It doubles each time, up to 5 s, with random jitter so
 * that processes do not collide again.
 *
 * @param failed Number of failed attempts in a row, from 1.
 */
export function retryPauseMs(failed: number, error: unknown): number {
  const longest = isBusy(error) ? LONGEST_BUSY_MS : LONGEST_MS;
  return Math.min(longest, FIRST_MS * 2 ** Math.min(failed - 1, 20)) * (0.5 + Math.random() / 2);
}
