import type { CALL_CLOCK } from "../../../src/call/voice/frame_clock.ts";

/** A step of the time, in milliseconds: no longer than a frame, so that each of many calls has its own turn. */
const STEP_MS = 20;
/** How long a step takes at least, in milliseconds of the machine: packets on their way to this process arrive within it. */
const LEAST_MS = 0.4;

interface Pause {
  readonly at: number;
  readonly end: () => void;
}

let time = 0;
let isRunning = false;
const pauses = new Set<Pause>();

/**
 * A clock of calls that is as fast as the machine: time passes only in pauses, and between two steps everything that has
 * arrived is read. A machine that stands still thus makes no call longer, and misses no frame.
 */
export const FAST: Pick<typeof CALL_CLOCK, "now" | "pause"> = {
  now: () => time,
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        pauses.delete(pause);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const pause = { at: time + ms, end };
      pauses.add(pause);
      signal?.addEventListener("abort", end);
      if (signal?.aborted) end();
      if (!isRunning) void run();
    }),
};

async function run(): Promise<void> {
  isRunning = true;
  while (pauses.size > 0) {
    const started = performance.now();
    do await new Promise<void>((resolve) => void setImmediate(resolve));
    while (performance.now() - started < LEAST_MS);
    const next = Math.min(...[...pauses].map(({ at }) => at));
    time = Math.max(time, Math.min(next, time + STEP_MS));
    for (const pause of [...pauses]) if (pause.at <= time) pause.end();
  }
  isRunning = false;
}
