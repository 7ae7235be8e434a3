import type { RunReport } from "../runner/mod.ts";

/** A run as JSON: the report to the letter. */
export function formatJson(report: RunReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
