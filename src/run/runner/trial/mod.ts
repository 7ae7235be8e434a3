export { cancelledResult, runAttempt } from "./run_slot.ts";
