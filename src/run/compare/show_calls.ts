import { oneLine, PLAIN, paint, type Style, wrap } from "../../base/values/mod.ts";
import { type ResultRecord, redactedResult } from "../store/mod.ts";
import { sideBySide } from "./side_by_side.ts";
import type { RateChange } from "./types.ts";

/** The calls to choose from. */
type Trial = Pick<ResultRecord, "status" | "trial">;

/**
 * Chooses a call of each run that shows a change: a passed and a failed one, of the same trial if there is such a pair.
 *
 * @returns `undefined` when one run has no calls.
 */
export function pairOfCalls<Call extends Trial>(
  base: readonly Call[],
  head: readonly Call[],
  change: RateChange,
): { readonly base: Call; readonly head: Call } | undefined {
  const [from, to] = change === "better" ? (["fail", "pass"] as const) : (["pass", "fail"] as const);
  const wanted = (calls: readonly Call[], status: string) => {
    const found = calls.filter((call) => call.status === status);
    return found.length > 0 ? found : calls.filter((call) => call.status === "pass" || call.status === "fail");
  };
  const [before, after] = [wanted(base, from), wanted(head, to)];
  const partnerOf = (call: Call) => after.find(({ trial }) => trial === call.trial);
  const first = before.find((call) => partnerOf(call) !== undefined) ?? before[0];
  const partner = first && (partnerOf(first) ?? after[0]);
  return first && partner ? { base: first, head: partner } : undefined;
}

/**
 * Formats two calls side by side from the first message that differs, followed by what each failed.
 *
 * @param style Default: without colours, 100 columns.
 */
export function showCalls(base: ResultRecord, head: ResultRecord, style: Style = PLAIN): string {
  const column = (run: string, { status, trial, transcript }: ResultRecord) => ({
    title: `${run}: trial ${trial}, ${status}`,
    transcript,
  });
  const failures = [
    ...failuresOf(base).map((line) => `base: ${line}`),
    ...failuresOf(head).map((line) => `head: ${line}`),
  ];
  const shown = failures.flatMap((line) => wrap(style, line, 2).map((each) => paint(style, "red", each)));
  return `${sideBySide(column("base", base), column("head", head), style)}${shown.map((line) => `${line}\n`).join("")}`;
}

function failuresOf(result: ResultRecord): readonly string[] {
  const { checks, verdicts, errorMessage } = redactedResult(result);
  return [
    ...checks
      .filter(({ passed }) => !passed)
      .map(({ kind, expected, reason }) => `✗ ${kind} ${oneLine(expected)}: ${reason}`),
    ...verdicts
      .filter(({ passed }) => !passed)
      .map(({ criterion, score, threshold, reasoning }) => `✗ ${criterion} (${score} of ${threshold}): ${reasoning}`),
    ...(errorMessage === null ? [] : [`! ${errorMessage}`]),
  ];
}
