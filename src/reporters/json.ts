import type { RunReport } from "../runner/mod.ts";
import { redactedResult } from "../store/mod.ts";
import { checkShapes } from "./shapes.ts";

/**
 * A run as JSON: the report to the letter, but for secrets.
 *
 * @throws {CallweaveError} `invalid-option`.
 */
export function formatJson(report: RunReport): string {
  checkShapes({ report }, "Cannot format report");
  return `${JSON.stringify(redactedResult(report), null, 2)}\n`;
}
