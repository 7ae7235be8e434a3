export { type EvaluateOptions, type EvaluationReport, evaluate, type Skipped } from "./evaluate.ts";
export { readTimeline, type Timeline, type TimelineEvent } from "./timeline.ts";
