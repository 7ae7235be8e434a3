import { type Clock, SYSTEM_CLOCK } from "../values/mod.ts";

/** The clock of a wait for another process. */
export type WaitClock = Pick<Clock, "now" | "pause">;

/** The machine's, which no change of the time of day affects. */
export const MONOTONIC: WaitClock = { now: () => performance.now(), pause: SYSTEM_CLOCK.pause };
