import { type Clock, SYSTEM_CLOCK } from "../values/mod.ts";

/**
 * The time of one call that counts: it stands still while a request of the call waits for limits that the calls of a run
 * share, as such a wait says nothing about the agent and grows with whatever else is running.
 */
export interface CallClock {
  /** Milliseconds that have counted since it was made. */
  readonly now: () => number;
  /** Stops it. It goes on when everybody who has stopped it has called what they were given. */
  readonly pause: () => () => void;
  /**
   * Calls back once so many milliseconds more have counted.
   *
   * @returns What calls it off.
   */
  readonly after: (ms: number, callback: () => void) => () => void;
}

interface Alarm {
  readonly atMs: number;
  readonly callback: () => void;
  callOff: () => void;
}

/** Unlike the time of day, it never goes back. */
const MACHINE = { now: () => performance.now(), after: SYSTEM_CLOCK.after };

/** Starts a clock. */
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
