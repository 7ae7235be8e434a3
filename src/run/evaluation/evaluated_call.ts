import type { FinishedCall } from "../calls/mod.ts";
import type { ResultRecord } from "../store/mod.ts";

/** A call to evaluate: a stored result, an imported call, or one from a timeline. */
export interface EvaluatedCall extends FinishedCall, Partial<Pick<ResultRecord, "latency" | "id">> {
  /** Name of the scenario; absent for calls read from a platform. */
  readonly scenario?: string;
  /** ISO 8601. */
  readonly startedAt?: string | null;
  readonly durationMs?: number | null;
}
