import type { JsonObject } from "../../../src/base/values/mod.ts";
import type { CheckResult, Verdict } from "../../../src/document/transcript/mod.ts";
import { type RunReport, reportOf } from "../../../src/run/runner/mod.ts";
import type { ResultRecord, StoredRun } from "../../../src/run/store/mod.ts";
import { GRAPH, newResult } from "../../run/store/_fixtures.ts";

export const AT = "2026-01-02T03:04:05.678Z";

/** A result that passed, with what a test wants to be different. */
export function resultRecord(changes: Partial<ResultRecord> = {}): ResultRecord {
  const { trial = 1, startedAt = AT, ...rest } = newResult();
  return { id: "r1", runId: "run1", trial, startedAt, ...rest, ...changes };
}

/** A verdict on a criterion, passed by default. */
export function verdict(changes: Partial<Verdict> = {}): Verdict {
  return {
    criterion: "polite",
    requirement: "The agent is polite",
    evidence: "Goodbye",
    evidenceFound: true,
    reasoning: "It says goodbye",
    score: 0.9,
    confidence: 0.8,
    threshold: 0.7,
    passed: true,
    ...changes,
  };
}

/** A check that failed. */
export const FAILED: CheckResult = {
  kind: "visits",
  expected: "greet -> technical",
  passed: false,
  reason: "visited greet -> bye; never reached technical",
};

/** The report of a run of two seconds with these results. */
export function reportWith(
  results: readonly ResultRecord[],
  models: Partial<RunReport["models"]> = {},
  options: JsonObject = {},
): RunReport {
  const run: StoredRun["run"] = {
    id: "run1",
    kind: "simulated",
    startedAt: AT,
    finishedAt: "2026-01-02T03:04:07.678Z",
    agent: "desk",
    graphFingerprint: "f",
    models: { agent: "openai/a", caller: "openai/b", judge: "openai/c", ...models },
    options,
    counts: { pass: 0, fail: 0, error: 0, imported: 0, cancelled: 0, invalid: 0 },
  };
  return reportOf({ run, results, graph: GRAPH }, "results.db");
}
