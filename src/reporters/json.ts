import type { RunReport } from "../runner/mod.ts";
import { redactedResult } from "../store/mod.ts";
import { checkShapes } from "./shapes.ts";

/**
 * Formats a run as JSON: the complete report with secrets redacted.
 *
 * @throws {CallweaveError} `invalid-option`.
 */
export function formatJson(report: RunReport): string {
  checkShapes({ report }, "Cannot format report");
  return `${JSON.stringify(redactedResult(report), null, 2)}\n`;
}
