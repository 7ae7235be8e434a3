import { type Clock, readableError, SYSTEM_CLOCK, startTimeLimit } from "../../../base/values/mod.ts";

/** A callback that threw, or whose promise was rejected or did not settle in time. */
export interface CallbackFailure {
  /** The name of the option, such as `onResult`. */
  readonly name: string;
  readonly error: unknown;
}

/** Calls callbacks so that an error in one of them does not break the run or the conversation. */
export interface CallbackGuard {
  /** Wraps a callback so that it never throws. A promise that it returns is awaited by {@link CallbackGuard.settle}. */
  readonly wrap: <Args extends readonly unknown[]>(
    name: string,
    callback: (...args: Args) => unknown,
  ) => (...args: Args) => void;
  /** Records a failure that was caught elsewhere. */
  readonly fail: (name: string, error: unknown) => void;
  /** Awaits the promises that callbacks returned, up to a limit in milliseconds. Default clock: the machine's. */
  readonly settle: (limitMs: number, timers?: Pick<Clock, "after">) => Promise<void>;
  /** Returns and clears the first failure since the last call. */
  readonly takeFailure: () => CallbackFailure | undefined;
}

/** Creates a guard for one run or conversation. */
export function createCallbackGuard(): CallbackGuard {
  const pending = new Map<Promise<void>, string>();
  let failure: CallbackFailure | undefined;
  const fail = (name: string, error: unknown) => {
    failure ??= { name, error: readableError(error) };
  };
  return {
    wrap:
      (name, callback) =>
      (...args) => {
        try {
          const returned = callback(...args);
          if (!isThenable(returned)) return;
          const pendingReturn: Promise<void> = Promise.resolve(returned).then(
            () => void pending.delete(pendingReturn),
            (error) => {
              pending.delete(pendingReturn);
              fail(name, error);
            },
          );
          pending.set(pendingReturn, name);
        } catch (error) {
          fail(name, error);
        }
      },
    fail,
    settle: async (limitMs, timers = SYSTEM_CLOCK) => {
      if (pending.size === 0) return;
      using limit = startTimeLimit(limitMs, undefined, timers);
      await limit.until(Promise.all(pending.keys())).catch(() => {}); // those that settled are no longer pending
      for (const name of pending.values()) fail(name, new Error(`its promise did not settle within ${limitMs} ms`));
    },
    takeFailure: () => {
      const taken = failure;
      failure = undefined;
      return taken;
    },
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Whether a value is a valid date, as clocks must return. */
export function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}
