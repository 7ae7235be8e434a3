import type { RunReport } from "../../run/runner/mod.ts";
import { type ResultRecord, type ResultStatus, redactedResult } from "../../run/store/mod.ts";
import { type CaseOutcome, callNumber, casesOf, messageOf, problemLinesOf, type ScenarioCase } from "./cases.ts";
import { problemsOf } from "./problems.ts";
import { formatTranscript } from "./result.ts";
import { checkShapes } from "./shapes.ts";

type CtrfStatus = "passed" | "failed" | "skipped" | "pending" | "other";

/** An error of a model or the runner is no verdict on the agent, but a test without a verdict must not look green. */
const STATUS_OF: { readonly [Outcome in CaseOutcome]: CtrfStatus } = {
  pass: "passed",
  fail: "failed",
  error: "failed",
  skipped: "skipped",
  imported: "other",
};

const CALL_STATUS: { readonly [Status in ResultStatus]?: CtrfStatus } = {
  pass: "passed",
  fail: "failed",
  error: "failed",
  cancelled: "skipped",
};

const WIDE = { color: false, width: 160 };

/**
 * Formats a run as a CTRF report: one test per scenario, whose status the gate decides. Repeated calls are its
 * `retryAttempts`; a test is `flaky` if it passed although calls failed. Pass rate, interval and gate are in `extra`.
 * The status of a scenario without a verdict because of errors is `failed`, with `error` as `rawStatus`.
 *
 * @throws {CallweaveError} `invalid-option`.
 * @see https://ctrf.io
 */
export function formatCtrf(report: RunReport): string {
  checkShapes({ report }, "Cannot format CTRF report");
  const redacted = redactedResult(report);
  const cases = casesOf(redacted);
  const tests = cases.map((each) => testOf(each, redacted.name));
  const count = (status: CtrfStatus) => tests.filter((test) => test.status === status).length;
  const start = millisecondsOf(redacted.startedAt);
  const duration = Math.round(redacted.durationMs);
  const summary = {
    tests: tests.length,
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    pending: count("pending"),
    other: count("other"),
    flaky: cases.filter(({ isFlaky }) => isFlaky).length,
    suites: 1,
    start,
    stop: start + duration,
    duration,
  };
  const { usage, models, offline, counts, store } = redacted;
  const document = {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    runId: redacted.id,
    generatedBy: "callweave",
    results: {
      tool: { name: "callweave" },
      summary,
      tests,
      environment: { appName: redacted.name, extra: { models, offline, calls: counts, usage, store } },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function testOf(each: ScenarioCase, suite: string) {
  const { summary, outcome, results, failed, isFlaky, durationMs } = each;
  const { planned, passRate, interval, passHat, gate, reason } = summary;
  const starts = results.map(({ startedAt }) => millisecondsOf(startedAt));
  const isGood = outcome === "pass" || outcome === "imported";
  const [first] = failed;
  return {
    name: summary.scenario || "(no name)",
    status: STATUS_OF[outcome],
    rawStatus: outcome,
    duration: Math.round(durationMs),
    ...(starts.length > 0
      ? {
          start: Math.min(...starts),
          stop: Math.max(...results.map(stopOf)),
        }
      : {}),
    suite: [suite || "agent"],
    type: "conversation",
    ...(isGood ? {} : { message: messageOf(each), trace: problemLinesOf(each).join("\n") }),
    ...(isGood || !first ? {} : { stdout: linesOf(first) }),
    ...(results.length > 1
      ? {
          flaky: isFlaky,
          retries: results.length - 1,
          retryAttempts: results.map((result, at) => attemptOf(result, at)),
        }
      : {}),
    extra: {
      planned,
      passRate,
      interval,
      passHat,
      gate,
      reason,
      calls: results.map((result) => callNumber(result, each)),
    },
  };
}

function attemptOf(result: ResultRecord, index: number) {
  const problems = problemsOf(result).map(({ title }) => title);
  return {
    attempt: index + 1,
    status: CALL_STATUS[result.status] ?? "other",
    duration: Math.round(result.durationMs),
    start: millisecondsOf(result.startedAt),
    stop: stopOf(result),
    ...(problems.length > 0 ? { message: problems.join("; "), stdout: linesOf(result) } : {}),
    extra: { id: result.id, trial: result.trial, attempt: result.attempt ?? 1, status: result.status },
  };
}

function linesOf({ transcript }: ResultRecord): readonly string[] {
  return formatTranscript(transcript, WIDE).trimEnd().split("\n");
}

function stopOf({ startedAt, durationMs }: ResultRecord): number {
  return millisecondsOf(startedAt) + Math.round(durationMs);
}

/** 0 for a time that cannot be read. */
function millisecondsOf(time: string): number {
  return Date.parse(time) || 0;
}
