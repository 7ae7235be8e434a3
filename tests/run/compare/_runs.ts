import type { ComparedResult } from "../../../api/statistics.ts";
import type { RunRecord } from "../../../mod.ts";

/** Results of a scenario: so many passes, then fails. */
export function trials(scenario: string, passes: number, fails: number): ComparedResult[] {
  return [
    ...Array.from({ length: passes }, () => ({ scenario, status: "pass" as const })),
    ...Array.from({ length: fails }, () => ({ scenario, status: "fail" as const })),
  ];
}

/** A run with results. */
export function runOf(id: string, results: readonly ComparedResult[]) {
  return { id, name: "clinic", results };
}

/** A stored run without results. */
export function recordOf(id: string): RunRecord {
  const counts = { pass: 0, fail: 0, error: 0, imported: 0, cancelled: 0, invalid: 0 };
  const models = { agent: "offline", caller: "offline", judge: "offline" };
  const times = { startedAt: "2026-01-01T00:00:00.000Z", finishedAt: null };
  return { id, kind: "simulated", ...times, agent: "clinic", graphFingerprint: "f", models, options: {}, counts };
}
