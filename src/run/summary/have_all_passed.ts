import type { ScenarioSummary } from "./summarise.ts";

/** Whether there are scenarios and the gate of each passed. Imported calls have no verdict and do not count. */
export function haveAllPassed(scenarios: readonly Pick<ScenarioSummary, "verdict" | "counts">[]): boolean {
  return scenarios.length > 0 && scenarios.every(({ verdict, counts }) => verdict === "pass" || isImported(counts));
}

function isImported(counts: ScenarioSummary["counts"]): boolean {
  return counts.imported > 0 && Object.values(counts).every((count) => count === 0 || count === counts.imported);
}
