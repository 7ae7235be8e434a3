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
  /**
   * Samples from a place to this moment, without those of missed frames: what has arrived in their time was not heard in
   * it, so that nobody was silent in it.
   */
  listenedSince(place: number): number;
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
  const samplesOf = (ms: number) => Math.round((ms * rate) / 1000);
  let isStopped = false;
  let missed = 0;
  /** Spans of missed frames. */
  const gaps: { readonly from: number; readonly until: number }[] = [];
  const run = async () => {
    await Promise.resolve(); // whoever starts the clock has it before the first frame
    let hasPaused = true;
    let hasRead = false;
    for (let number = 0; !isStopped; ) {
      const leftMs = startedMs + (number + 1) * FRAME_MS - clock.now();
      if (leftMs > 0) {
        // not ended by stop(): it is short, and a listener for each frame of each call takes time
        await clock.pause(Math.ceil(leftMs));
        hasPaused = true;
        continue;
      }
      const late = Math.floor(-leftMs / FRAME_MS);
      if (!hasPaused || (late > 0 && !hasRead)) {
        // frames that take longer than their time must not keep the machine from reading what arrives, and what arrived
        // in the time of missed frames comes before them
        await new Promise<void>((resolve) => void setImmediate(resolve));
        [hasPaused, hasRead] = [true, true];
        continue;
      }
      [hasPaused, hasRead] = [false, false];
      missed += late;
      if (late > 0) gaps.push({ from: samplesOf(number * FRAME_MS), until: samplesOf((number + late) * FRAME_MS) });
      number += late;
      onFrame(samplesOf(number * FRAME_MS));
      number += 1;
    }
  };
  // it never rejects: frames must not throw
  dropPromise(run());
  const now = () => samplesOf(clock.now() - startedMs);
  return {
    now,
    listenedSince: (place) => {
      let listened = now() - place;
      for (let at = gaps.length - 1; at >= 0; at--) {
        const { from, until } = gaps[at] ?? { from: 0, until: 0 };
        if (until <= place) break;
        listened -= until - Math.max(from, place);
      }
      return listened;
    },
    get missed() {
      return missed;
    },
    stop: () => {
      isStopped = true;
    },
  };
}
