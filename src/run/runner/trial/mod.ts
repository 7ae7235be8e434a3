export { judgeKept } from "./judge_kept.ts";
export { cancelledResult, runAttempt } from "./run_attempt.ts";
