import { FAULTS } from "../../call/judges/mod.ts";
import { LACKS_DATA } from "../evaluation/mod.ts";
import type { JudgedResult, Store } from "../store/mod.ts";
import type { WatchedCall, WatchedOutcome } from "./types.ts";

/** Label of the evaluations of `watchCalls()`: others, of selected calls, say nothing about all of them. */
export const WATCH_LABEL = "watch";

/** Which stored calls belong to a watch. */
export interface WatchScope {
  /** The platform, which is also the format of its calls. */
  readonly from: string;
  /** The platform's id of what answers the calls; `undefined`: any. */
  readonly answeredBy: string | undefined;
  /** Start of the first call, in milliseconds since 1970. */
  readonly since: number;
}

/** A stored call of production, and what earlier rounds made of it. */
export interface StoredCall extends WatchedCall {
  /**
   * `open`: it has to be evaluated. `lacking`: it lacks the data that the expectations need. `left`: the platform broke it
   * off, or its evaluation has failed too often.
   */
  readonly state: "judged" | "open" | "lacking" | "left";
  /** Number of evaluations that ended in an error. */
  readonly errors: number;
}

/** A time zone's offset may put the text of a time a day before the time itself. */
const DAY_MS = 86_400_000;
/** The platform, not the agent, ended the call: there is nothing to judge. */
const FAILED = "failed";
/** A call whose evaluation has failed so often is left alone. */
const MOST_ERRORS = 10;

/** Reads the calls of a watch with their verdicts, and no transcripts. */
export async function readStoredCalls(
  store: Store,
  { from, answeredBy, since }: WatchScope,
  signal: AbortSignal | undefined,
): Promise<readonly StoredCall[]> {
  const time = new Date(since - DAY_MS).toISOString();
  const results = await store.listJudged({ since: time, ...(signal ? { signal } : {}) });
  const isOurs = ({ provenance }: JudgedResult) =>
    provenance?.format === from && (answeredBy === undefined || provenance.agentId === answeredBy);
  const ours = results.filter(isOurs);
  const judged = new Map<string, JudgedResult[]>();
  for (const result of ours) {
    const { label, provenance } = result;
    const callId = provenance?.callId;
    if (label !== WATCH_LABEL || typeof callId !== "string") continue;
    const known = judged.get(callId);
    if (known) known.push(result);
    else judged.set(callId, [result]);
  }
  const calls = ours.filter(({ status, startedAt }) => status === "imported" && Date.parse(startedAt) >= since);
  return calls.map((call) => storedCall(call, judged.get(call.provenance?.callId ?? "") ?? []));
}

/** @param evaluations Of this call, the oldest first. The first one that decided counts. */
function storedCall(
  { id, startedAt, endReason, provenance }: JudgedResult,
  evaluations: readonly JudgedResult[],
): StoredCall {
  const decided = evaluations.find(({ status }) => status === "pass" || status === "fail");
  const errors = evaluations.filter(({ status }) => status === "error");
  const lacksData = errors.some(({ errorMessage }) => errorMessage === LACKS_DATA);
  const failures = errors.filter(({ errorMessage }) => errorMessage !== LACKS_DATA).length;
  const isLeft = endReason === FAILED || failures >= MOST_ERRORS;
  return {
    id,
    callId: provenance?.callId ?? null,
    startedAt,
    outcomes: [...(decided ? outcomesOf(decided) : []), ...endOf(endReason)],
    state: decided ? "judged" : lacksData ? "lacking" : isLeft ? "left" : "open",
    errors: failures,
  };
}

function outcomesOf({ verdicts, checks, judge }: JudgedResult): readonly WatchedOutcome[] {
  return [
    ...verdicts.map(({ criterion: name, passed, threshold }) => ({
      kind: "criterion" as const,
      name,
      passed,
      judge,
      threshold,
    })),
    // how a call ended is known of all calls, below; here, only calls with a fault have it
    ...checks.filter(({ kind }) => kind !== "ends").map(({ kind, expected: name, passed }) => ({ kind, name, passed })),
  ];
}

/** Whether a call ended without a fault of the agent or the platform, for calls whose end is known. */
function endOf(endReason: JudgedResult["endReason"]): readonly WatchedOutcome[] {
  if (endReason === undefined) return [];
  const passed = endReason !== FAILED && !FAULTS.includes(endReason);
  return [{ kind: "ends", name: "without a fault", passed }];
}
