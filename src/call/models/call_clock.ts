import { type Clock, SYSTEM_CLOCK } from "../../base/values/mod.ts";

/**
 * A clock that pauses while a request of the call waits for rate limits that the calls of a run share. Such a wait says
 * nothing about the agent and depends on what else is running.
 */
export interface CallClock {
  /** Milliseconds since the clock was started, without pauses. */
  readonly now: () => number;
  /** Pauses the clock. It resumes when every function that `pause` returned has been called. */
  readonly pause: () => () => void;
  /**
   * Calls back after a number of milliseconds, not counting pauses.
   *
   * @returns A function that cancels the callback.
   */
  readonly after: (ms: number, callback: () => void) => () => void;
}

interface Alarm {
  readonly atMs: number;
  readonly callback: () => void;
  callOff: () => void;
}

/** Monotonic, unlike the time of day. */
const MACHINE = { now: () => performance.now(), after: SYSTEM_CLOCK.after };

export function createCallClock(clock: Pick<Clock, "now" | "after"> = MACHINE): CallClock {
  const alarms = new Set<Alarm>();
  let holders = 0;
  let counted = 0;
  let since = clock.now();
  const now = () => (holders > 0 ? counted : counted + clock.now() - since);

  const set = (alarm: Alarm) => {
    alarm.callOff = clock.after(Math.max(0, alarm.atMs - now()), () => {
      alarms.delete(alarm);
      alarm.callback();
    });
  };
  return {
    now,
    pause: () => {
      if (holders === 0) {
        counted = now();
        for (const { callOff } of alarms) callOff();
      }
      holders += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holders -= 1;
        if (holders > 0) return;
        since = clock.now();
        for (const alarm of alarms) set(alarm);
      };
    },
    after: (ms, callback) => {
      const alarm: Alarm = { atMs: now() + ms, callback, callOff: () => {} };
      alarms.add(alarm);
      if (holders === 0) set(alarm);
      return () => {
        alarms.delete(alarm);
        alarm.callOff();
      };
    },
  };
}
