import { createHash } from "node:crypto";
import * as v from "valibot";
import { ScenarioError } from "../../base/errors.ts";
import { isRecord, isRecords, type JsonObject } from "../../base/values/mod.ts";
import type { VariableExtraction } from "../../document/graph/mod.ts";
import type { Scenario } from "../../document/scenario/mod.ts";
import type { TrialAttempt } from "../runner/mod.ts";

/** A call in the queue. It has no API keys: workers have their own. */
export interface CallJob {
  readonly runId: string;
  readonly slot: TrialAttempt;
  readonly scenario: Scenario;
  readonly settings: JsonObject;
  /** Types of the variables that a flow declares in code. */
  readonly variables?: readonly VariableExtraction[];
  /** Code that only a worker with the agent's module has. */
  readonly needs: readonly string[];
  /** Whether the database has the call, which waits for its verdicts. */
  readonly isHeld?: boolean;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const JOB = v.looseObject({
  runId: v.pipe(v.string(), v.nonEmpty()),
  slot: v.looseObject({ scenario: v.string(), trial: count, attempt: count }),
  // what is in a scenario, and in the settings, is checked before the call
  scenario: v.custom<Scenario>((value) => isRecord(value) && typeof value.name === "string"),
  settings: v.custom<JsonObject>(isRecord),
  variables: v.optional(v.custom<readonly VariableExtraction[]>((value) => isRecords(value, isVariable))),
  needs: v.array(v.string()),
  isHeld: v.optional(v.boolean()),
});

function isVariable({ name, type }: JsonObject): boolean {
  return typeof name === "string" && typeof type === "string";
}

/**
 * Parses a job of the queue, which any program with access to the Redis can add.
 *
 * @throws {ScenarioError} `queue-failed` for anything but a call.
 */
export function parseCallJob(value: unknown): CallJob {
  if (v.is(JOB, value)) return value;
  const [issue] = v.safeParse(JOB, value).issues ?? [];
  const place = (issue && v.getDotPath(issue)) ?? "the job";
  throw new ScenarioError(`Cannot run a queued call: the queue has something else, "${place}" is not that of a call`, {
    code: "queue-failed",
    path: ["queue"],
    hint: "Use a Redis database of its own for the queue, and one version of Callweave for runs and workers",
  });
}

/** The result of a job; the call's result is in the database. */
export interface CallJobResult {
  readonly resultId: string;
}

/** Asks the worker of a call to cancel it. */
export const CANCEL = { cancel: true };

/** The id of a call in the queue, always the same, so that the call is queued only once. */
export function jobId(runId: string, { scenario, trial, attempt }: TrialAttempt): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([scenario, trial, attempt]))
    .digest("hex");
  return `${runId}-${digest.slice(0, 24)}`;
}
