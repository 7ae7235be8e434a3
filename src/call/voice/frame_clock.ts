import { type Clock, dropPromise, SYSTEM_CLOCK } from "../../base/values/mod.ts";
import { FRAME_MS } from "./level.ts";

/** The clock of calls: monotonic, unlike the time of day. */
export const CALL_CLOCK: Clock = { ...SYSTEM_CLOCK, now: () => performance.now() };

/** A running clock of frames. */
export interface FrameClock {
  /** Samples since the start: the place of what happens now, in both channels. */
  now(): number;
  /** Frames that could not be sent within 20 ms of their time. They are left out: the agent hears nothing for as long. */
  readonly missed: number;
  stop(): void;
}

/**
 * Calls back each 20 ms, at absolute times: a late frame does not move those after it. Frames that the machine has missed
 * are not made up for in a burst, which an agent would hear as faster speech.
 *
 * A frame is due when its last sample is over, as with a microphone, so that nobody hears a sample before its time.
 *
 * @param onFrame Gets the place at which the frame begins, in samples. It must not throw.
 */
export function startFrameClock(
  clock: Pick<Clock, "now" | "pause">,
  rate: number,
  onFrame: (place: number) => void,
): FrameClock {
  const startedMs = clock.now();
  let isStopped = false;
  let missed = 0;
  const run = async () => {
    await Promise.resolve(); // whoever starts the clock has it before the first frame
    let hasPaused = true;
    for (let number = 0; !isStopped; ) {
      const leftMs = startedMs + (number + 1) * FRAME_MS - clock.now();
      if (leftMs > 0) {
        // not ended by stop(): it is short, and a listener for each frame of each call takes time
        await clock.pause(Math.ceil(leftMs));
        hasPaused = true;
        continue;
      }
      if (!hasPaused) {
        // frames that take longer than their time must not keep the machine from reading what arrives
        await new Promise<void>((resolve) => void setImmediate(resolve));
        hasPaused = true;
        continue;
      }
      hasPaused = false;
      const late = Math.floor(-leftMs / FRAME_MS);
      missed += late;
      number += late;
      onFrame(Math.round((number * FRAME_MS * rate) / 1000));
      number += 1;
    }
  };
  // it never rejects: frames must not throw
  dropPromise(run());
  return {
    now: () => Math.round(((clock.now() - startedMs) * rate) / 1000),
    get missed() {
      return missed;
    },
    stop: () => {
      isStopped = true;
    },
  };
}
