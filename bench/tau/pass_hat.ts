import { type Interval, passHat, wilson } from "../../src/base/statistics/mod.ts";
import { seeded } from "../../tests/platforms/mutate.ts";
import type { GradedTrial } from "./simulate.ts";

/** pass^k of a run: the mean over its tasks, with the 95 % interval. */
export interface PassHat extends Interval {
  readonly k: number;
  readonly value: number;
  /** Tasks with at least `k` graded calls. */
  readonly tasks: number;
}

const RESAMPLES = 2_000;

/**
 * pass^k for each k: how often k calls of a task all have the reward 1. The interval is for other tasks of the same kind:
 * Wilson's where each task has 0 or 1, else a bootstrap over the tasks. Calls that ended in an error do not count.
 */
export function passHats(trials: readonly GradedTrial[]): readonly PassHat[] {
  const byTask = new Map<string, number[]>();
  for (const { task, reward } of trials) {
    if (reward) byTask.set(task, [...(byTask.get(task) ?? []), reward.reward]);
  }
  const counts = [...byTask.values()].map((rewards) => ({
    trials: rewards.length,
    passes: rewards.filter((reward) => reward === 1).length,
  }));
  const most = counts.reduce((highest, each) => Math.max(highest, each.trials), 0);
  return Array.from({ length: most }, (_, index): PassHat => {
    const k = index + 1;
    const shares = counts.flatMap(({ trials: of, passes }) => (of < k ? [] : [passHat(k, of, passes)]));
    return { k, value: mean(shares), tasks: shares.length, ...intervalOf(shares) };
  });
}

function intervalOf(shares: readonly number[]): Interval {
  if (shares.every((share) => share === 0 || share === 1)) return wilson(mean(shares) * shares.length, shares.length);
  const random = seeded(1);
  const drawn = Array.from({ length: RESAMPLES }, () =>
    mean(shares.map(() => shares[Math.floor(random() * shares.length)] ?? 0)),
  ).sort((a, b) => a - b);
  return { low: drawn[Math.floor(RESAMPLES * 0.025)] ?? 0, high: drawn[Math.ceil(RESAMPLES * 0.975) - 1] ?? 1 };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
