/**
 * `callweave/calls`: calls beyond a single run. Imports and judges real calls, replays stored ones, finds and repairs
 * the faults of failed ones, and runs calls in workers.
 *
 * @module
 */
export * from "../src/run/calls/public.ts";
export * from "../src/run/diagnosis/public.ts";
export * from "../src/run/evaluation/public.ts";
export * from "../src/run/replay/public.ts";
export {
  type CallFeed,
  type CallQueue,
  compareTurns,
  type OpenRun,
  openRun,
  type QueuedCall,
  type QueuedEnd,
  type QueuedRun,
  type ScenarioRun,
  type TurnComparison,
  type TurnDisagreement,
  type TurnOutcome,
} from "../src/run/runner/public.ts";
export {
  type CallLabel,
  type MergedRun,
  mergeRuns,
  openRecordings,
  type RecordingDatabase,
  type WaitOptions,
} from "../src/run/store/public.ts";
export * from "../src/run/watch/public.ts";
export * from "../src/run/worker/mod.ts";
