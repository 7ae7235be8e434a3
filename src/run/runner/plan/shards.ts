import { ScenarioError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/values/mod.ts";
import type { RunPart } from "../../store/mod.ts";
import type { TrialPlan } from "./plan_trials.ts";

/** Whether a value is a shard: `{ index, total }` with whole numbers and `index` from 1 to `total`. */
export function isShard(value: unknown): value is RunPart {
  if (!isRecord(value)) return false;
  const { index, total } = value;
  if (typeof index !== "number" || typeof total !== "number") return false;
  return Number.isSafeInteger(index) && Number.isSafeInteger(total) && index >= 1 && index <= total;
}

/**
 * Selects the scenarios of one shard. All trials of a scenario are in one shard, so that its gate is decided there. Each
 * scenario goes to the shard with the fewest trials so far, so that equal runs are split equally on every machine.
 *
 * @throws {ScenarioError} `invalid-option` when there are more shards than scenarios, in every shard.
 */
export function plansOfShard(plans: readonly TrialPlan[], shard: RunPart | undefined): readonly TrialPlan[] {
  if (shard === undefined) return plans;
  if (shard.total > plans.length) {
    throw new ScenarioError(`Cannot run shard ${formatShard(shard)}: there are only ${plans.length} scenarios`, {
      code: "invalid-option",
      path: ["shard", "total"],
      hint: `Use at most ${plans.length} shards`,
    });
  }
  const trials = Array.from({ length: shard.total }, () => 0);
  return plans.filter(({ planned }) => {
    const least = trials.indexOf(Math.min(...trials));
    trials[least] = (trials[least] ?? 0) + planned;
    return least === shard.index - 1;
  });
}

/** Formats a shard as on the command line: `2/4`. */
export function formatShard({ index, total }: RunPart): string {
  return `${index}/${total}`;
}
