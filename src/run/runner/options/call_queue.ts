import type { JsonObject } from "../../../base/values/mod.ts";
import type { VariableExtraction } from "../../../document/graph/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import type { TrialAttempt } from "./slot.ts";

/** Runs the calls of a run in other processes: workers take them from a queue. `openQueue()` opens one. */
export interface CallQueue {
  /** Starts putting the calls of a run into the queue. */
  readonly feed: (run: QueuedRun) => Promise<CallFeed>;
}

/** A stored run whose calls go into a queue. */
export interface QueuedRun {
  readonly runId: string;
  /** Options of the run that change what a call does. */
  readonly settings: JsonObject;
  /** Types of the variables that a flow declares in code. The stored graph has only those of extract nodes. */
  readonly variables?: readonly VariableExtraction[];
  /** Aborts when the run stops: waiting calls are removed, and running ones are cancelled. */
  readonly signal: AbortSignal;
}

/** The place of a call in its run, with its scenario and the code that it needs. */
export interface QueuedCall {
  readonly slot: TrialAttempt;
  readonly scenario: Scenario;
  /** Code that a worker needs to run the call: `tool "lookup"`, `check "is polite"`. */
  readonly needs: readonly string[];
}

/** How a queued call ended: a worker stored its result, it was cancelled, or `drop` removed it. */
export type QueuedEnd =
  | { readonly kind: "stored"; readonly resultId: string }
  | { readonly kind: "cancelled" }
  | { readonly kind: "dropped" };

/** Puts the calls of one run into a queue and follows them. */
export interface CallFeed {
  /**
   * Queues a call and waits until it is over.
   *
   * @param onStart Called when a worker takes it.
   * @throws {ScenarioError} `queue-failed`, `queue-unavailable`.
   */
  readonly runCall: (call: QueuedCall, onStart: () => void) => Promise<QueuedEnd>;
  /** Removes the waiting calls of a scenario. */
  readonly drop: (scenario: string) => void;
  /** Ends the feed: removes the calls that are left, and waits for removals, with a time limit. */
  readonly close: () => Promise<void>;
}
