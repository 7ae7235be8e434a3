import { groupBy } from "../../base/values/mod.ts";
import type { RunReport } from "../../run/runner/mod.ts";
import type { ResultRecord } from "../../run/store/mod.ts";
import type { ScenarioSummary } from "../../run/summary/mod.ts";
import { problemsOf, type ResultProblem } from "./problems.ts";

/**
 * The status of a scenario in a CI system. The gate decides: a scenario that passes its gate is green, whatever single
 * calls did. `error`: undecided because of errors or invalid calls; `skipped`: undecided because calls were cancelled.
 */
export type CaseOutcome = "pass" | "fail" | "error" | "skipped" | "imported";

/** A scenario of a run with its calls. */
export interface ScenarioCase {
  readonly summary: ScenarioSummary;
  readonly outcome: CaseOutcome;
  /** All calls, repeated attempts included. */
  readonly results: readonly ResultRecord[];
  /** Calls that did not pass. */
  readonly failed: readonly ResultRecord[];
  /** Whether it passed although some of its calls failed. */
  readonly isFlaky: boolean;
  /** Duration of all its calls together. */
  readonly durationMs: number;
}

/** Returns the scenarios of a report with their calls, in the order of the report. */
export function casesOf(report: RunReport): readonly ScenarioCase[] {
  const byScenario = groupBy(report.results, ({ scenario }) => scenario);
  return report.scenarios.map((summary) => caseOf(summary, byScenario.get(summary.scenario) ?? []));
}

/** Returns a scenario with its calls. */
export function caseOf(summary: ScenarioSummary, results: readonly ResultRecord[]): ScenarioCase {
  const failed = results.filter(({ status }) => status !== "pass" && status !== "imported");
  const outcome = outcomeOf(summary, results);
  const isFlaky = outcome === "pass" && summary.counts.fail > 0;
  const durationMs = results.reduce((sum, each) => sum + each.durationMs, 0);
  return { summary, outcome, results, failed, isFlaky, durationMs };
}

function outcomeOf({ verdict }: ScenarioSummary, results: readonly ResultRecord[]): CaseOutcome {
  if (results.length > 0 && results.every(({ status }) => status === "imported")) return "imported";
  if (verdict !== "undecided") return verdict;
  const isSkipped = results.every(({ status }) => status === "cancelled" || status === "pass" || status === "fail");
  return isSkipped ? "skipped" : "error";
}

/** The number of a call for people; empty if its scenario has only one. */
export function callNumber({ trial, attempt = 1 }: ResultRecord, { results }: ScenarioCase): string {
  if (results.length < 2) return "";
  return attempt > 1 ? `call ${trial}, attempt ${attempt}` : `call ${trial}`;
}

/** Returns why a scenario did not pass, in one line. */
export function messageOf(each: ScenarioCase): string {
  const { summary, failed } = each;
  const problems = failed.slice(0, MOST_IN_MESSAGE).map((result) => {
    const name = callNumber(result, each);
    return `${name && `${name}: `}${problemsOf(result).map(briefly).join("; ")}`;
  });
  return (summary.planned === 1 && problems.length > 0 ? problems : [summary.reason, ...problems]).join(" | ");
}

/** Returns the problems of a scenario's calls, as lines. */
export function problemLinesOf(each: ScenarioCase): readonly string[] {
  const { summary, failed } = each;
  const lines = failed.flatMap((result) => {
    const name = callNumber(result, each);
    const problems = problemsOf(result).flatMap(({ title, details }) => [
      title,
      ...details.map(({ label, text }) => `  ${label}: ${text}`),
    ]);
    return name === "" ? problems : [`${name}:`, ...problems.map((line) => `  ${line}`)];
  });
  return summary.planned === 1 ? lines : [summary.reason, ...lines];
}

/** Number of failed calls whose transcripts a report shows. The others are listed without them. */
export const MOST_IN_MESSAGE = 3;

function briefly({ title, details }: ResultProblem): string {
  const last = details.at(-1)?.text;
  return last === undefined ? title : `${title}: ${last}`;
}
