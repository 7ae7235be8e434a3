import type { RunReport } from "../runner/mod.ts";
import { redactedResult } from "../store/mod.ts";

/** A run as JSON: the report to the letter, but for secrets. */
export function formatJson(report: RunReport): string {
  return `${JSON.stringify(redactedResult(report), null, 2)}\n`;
}
