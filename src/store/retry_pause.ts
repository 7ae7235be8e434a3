import { isBusy } from "./database/mod.ts";

const FIRST_MS = 50;
const LONGEST_MS = 5_000;
/** Another process that writes is done soon. */
const LONGEST_BUSY_MS = 250;

/**
 * How long to wait before the next try: twice as long each time, up to 5 s. Random within a half, so that processes
 * that met do not meet again.
 *
 * @param failed How many tries have failed in a row; from 1.
 */
export function retryPauseMs(failed: number, error: unknown): number {
  const longest = isBusy(error) ? LONGEST_BUSY_MS : LONGEST_MS;
  return Math.min(longest, FIRST_MS * 2 ** Math.min(failed - 1, 20)) * (0.5 + Math.random() / 2);
}
