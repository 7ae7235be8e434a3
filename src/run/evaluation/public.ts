export { type EvaluateOptions, type EvaluationReport, evaluate, type Skipped } from "./evaluate.ts";
export type { EvaluatedCall } from "./evaluated_call.ts";
export { readTimeline, type Timeline, type TimelineCall, type TimelineEvent } from "./timeline.ts";
