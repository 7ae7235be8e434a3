import type { RunReport } from "../../run/runner/mod.ts";
import { type ResultRecord, redactedResult } from "../../run/store/mod.ts";
import { checkShapes } from "./shapes.ts";

/**
 * Formats a run as JSON: the complete report with secrets redacted.
 *
 * @throws {CallweaveError} `invalid-option`.
 */
export function formatJson(report: RunReport): string {
  checkShapes({ report }, "Cannot format report");
  const redacted = redactedResult(report);
  return `${JSON.stringify({ ...redacted, results: redacted.results.map(withAudioMetricResults) }, null, 2)}\n`;
}

/** Adds the verdicts by what was heard under the name and in the form that other tools read. */
export function withAudioMetricResults(result: ResultRecord): object {
  if (!result.audio) return result;
  const audio_metric_results = result.audio.verdicts.map(({ criterion, score, threshold, passed, reasoning }) => ({
    metric: criterion,
    score,
    threshold,
    passed,
    reasoning,
  }));
  return { ...result, audio_metric_results };
}
