export { cancelledResult, runAttempt } from "./run_attempt.ts";
