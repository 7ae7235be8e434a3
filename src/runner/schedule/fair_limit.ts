import type { LimitFunction } from "p-limit";
import { createFairQueue } from "./fair_queue.ts";

/** Runs tasks of several groups, a limited number at a time, so that no group waits for all tasks of another. */
export interface FairLimit {
  /** Resolves with the task's result, or with `undefined` if its group was cancelled before the task started. */
  run<Result>(group: string, task: () => Promise<Result>): Promise<Result | undefined>;
  /** Drops the waiting tasks of a group; running ones continue. */
  cancel(group: string): void;
}

/** Creates a limit that takes the tasks' groups in turn. `slots` counts the tasks that run at a time. */
export function createFairLimit(slots: LimitFunction): FairLimit {
  const queue = createFairQueue<{ readonly start: () => Promise<void>; readonly drop: () => void }>();
  return {
    run: (group, task) =>
      new Promise((resolve, reject) => {
        const start = async () => {
          try {
            resolve(await task());
          } catch (error) {
            reject(error);
          }
        };
        queue.add(group, { start, drop: () => resolve(undefined) });
        // a slot takes the task whose turn it is, which is seldom the one just added
        void slots(async () => await queue.take()?.start());
      }),
    cancel: (group) => {
      for (const { drop } of queue.drop(group)) drop();
    },
  };
}
