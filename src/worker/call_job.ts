import { createHash } from "node:crypto";
import type { VariableExtraction } from "../graph/mod.ts";
import type { Slot } from "../runner/mod.ts";
import type { Scenario } from "../scenario/mod.ts";
import type { JsonObject } from "../values/mod.ts";

/** A call in the queue. It has no API keys: workers have their own. */
export interface CallJob {
  readonly runId: string;
  readonly slot: Slot;
  readonly scenario: Scenario;
  readonly settings: JsonObject;
  /** Types of the variables that a flow declares in code. */
  readonly variables?: readonly VariableExtraction[];
  /** Code that only a worker with the agent's module has. */
  readonly needs: readonly string[];
}

/** The result of a job; the call's result is in the database. */
export interface CallJobResult {
  readonly resultId: string;
}

/** Asks the worker of a call to cancel it. */
export const CANCEL = { cancel: true };

/** The id of a call in the queue, always the same, so that the call is queued only once. */
export function jobId(runId: string, { scenario, trial, attempt }: Slot): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([scenario, trial, attempt]))
    .digest("hex");
  return `${runId}-${digest.slice(0, 24)}`;
}
