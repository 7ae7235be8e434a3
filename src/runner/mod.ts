export { compareTurns, type TurnComparison, type TurnDisagreement, type TurnOutcome } from "./compare_turns.ts";
export {
  type CallRange,
  type Estimate,
  type EstimatedUsage,
  type EstimateOptions,
  estimate,
  type Range,
} from "./estimate.ts";
export type { RunEvent, RunOptions } from "./options.ts";
export type { CallPlace } from "./platform_values.ts";
export type { RunnableScenario } from "./prepare.ts";
export { type RunReport, reportOf } from "./report.ts";
export { run } from "./run.ts";
