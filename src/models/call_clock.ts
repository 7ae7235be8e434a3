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
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Starts a clock. */
export function createCallClock(): CallClock {
  const alarms = new Set<Alarm>();
  let holders = 0;
  let counted = 0;
  let since = performance.now();
  const now = () => (holders > 0 ? counted : counted + performance.now() - since);

  const set = (alarm: Alarm) => {
    alarm.timer = setTimeout(
      () => {
        alarms.delete(alarm);
        alarm.callback();
      },
      Math.max(0, alarm.atMs - now()),
    );
  };
  return {
    now,
    pause: () => {
      if (holders === 0) {
        counted = now();
        for (const { timer } of alarms) clearTimeout(timer);
      }
      holders += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        holders -= 1;
        if (holders > 0) return;
        since = performance.now();
        for (const alarm of alarms) set(alarm);
      };
    },
    after: (ms, callback) => {
      const alarm: Alarm = { atMs: now() + ms, callback, timer: undefined };
      alarms.add(alarm);
      if (holders === 0) set(alarm);
      return () => {
        alarms.delete(alarm);
        clearTimeout(alarm.timer);
      };
    },
  };
}
