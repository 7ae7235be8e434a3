import { readableError } from "../values/mod.ts";

/** A callback of the user's that has thrown, or whose promise was rejected or not settled in time. */
export interface CallbackFailure {
  /** The option that it is: `onResult`. */
  readonly name: string;
  readonly error: unknown;
}

/** Calls the callbacks of a user in such a way that none of them can break what it is told of. */
export interface CallbackGuard {
  /** The callback, as a function that never throws. What it returns does not matter, unless it is a promise. */
  readonly hold: <Args extends readonly unknown[]>(
    name: string,
    callback: (...args: Args) => unknown,
  ) => (...args: Args) => void;
  /** Notes a failure that was caught elsewhere. */
  readonly fail: (name: string, error: unknown) => void;
  /** Waits for promises that callbacks have returned, up to a limit in milliseconds. */
  readonly settle: (limitMs: number) => Promise<void>;
  /** The first failure since this was asked for last. */
  readonly takeFailure: () => CallbackFailure | undefined;
}

/** Makes a guard; one for each run or conversation. */
export function createCallbackGuard(): CallbackGuard {
  const pending = new Map<Promise<void>, string>();
  let failure: CallbackFailure | undefined;
  const fail = (name: string, error: unknown) => {
    failure ??= { name, error: readableError(error) };
  };
  return {
    hold:
      (name, callback) =>
      (...args) => {
        try {
          const returned = callback(...args);
          if (!isThenable(returned)) return;
          const settled: Promise<void> = Promise.resolve(returned).then(
            () => void pending.delete(settled),
            (error) => {
              pending.delete(settled);
              fail(name, error);
            },
          );
          pending.set(settled, name);
        } catch (error) {
          fail(name, error);
        }
      },
    fail,
    settle: async (limitMs) => {
      if (pending.size === 0) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs);
      });
      await Promise.race([Promise.all(pending.keys()), late]);
      clearTimeout(timer);
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

/** Whether a clock of the user's has given a time. */
export function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}
