import { defined } from "../../base/values/mod.ts";
import type { JudgeVote, Verdict } from "../../document/transcript/mod.ts";

/**
 * Combines the verdicts of a panel: the criterion passes if more than half of the judges pass it. Score, evidence
 * and reasoning are those of the median judge, so that the score reaches the threshold exactly when the criterion
 * passes.
 *
 * @param verdicts One per judge, on the same criterion; at least one.
 */
export function joinVotes(verdicts: readonly Verdict[]): Verdict {
  const sorted = [...verdicts].sort((a, b) => a.score - b.score);
  const middle = sorted[Math.ceil(sorted.length / 2) - 1];
  if (!middle) throw new TypeError("unreachable: a panel has at least one judge");
  if (verdicts.length === 1) return middle;
  const votes = verdicts.map(
    ({ score, passed, confidence, reasoning }): JudgeVote => ({ score, passed, reasoning, ...defined({ confidence }) }),
  );
  return { ...middle, votes };
}
