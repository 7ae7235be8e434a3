import type { Finding, Report } from "./platform.ts";

/** Runs a check and returns what it reports. */
export function findingsOf(check: (report: Report) => void): readonly Finding[] {
  const findings: Finding[] = [];
  check((code, path, message, hint, severity = "error") => findings.push({ code, severity, path, message, hint }));
  return findings;
}
