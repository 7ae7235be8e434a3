import { formatDollars, oneLine, paint, type Style, wrap } from "../../../base/values/mod.ts";
import type { MeasuredTrials, Repair, RepairEvent, RepairTry } from "../../../run/diagnosis/mod.ts";
import { formatDiagnosis } from "./format_diagnosis.ts";

const OUTCOMES = {
  repaired: "green",
  refused: "red",
  not_repairable: "yellow",
  unmeasurable: "yellow",
  stopped: "yellow",
} as const;

/** Formats a repair: the diagnosis, each attempt with its numbers, and the outcome. */
export function formatRepair(repair: Repair, style: Style): string {
  const { outcome, reason, diagnosis, before, tries, usage } = repair;
  const after = tries.findLast(({ accepted }) => accepted)?.failing?.after;
  const compare = before && after ? [`numbers: npx callweave runs compare ${before.runId} ${after.runId}`] : [];
  const cost = usage.costUsd === undefined ? "" : `, ${formatDollars(usage.costUsd)}`;
  return `${[
    ...(diagnosis ? [formatDiagnosis(diagnosis, style)] : []),
    ...tries.flatMap((tried, index) => tryLines(tried, index + 1, style)),
    ...wrap(style, `${outcome.replace("_", " ")}: ${reason}`, 0).map((line) => paint(style, OUTCOMES[outcome], line)),
    ...compare,
    paint(style, "dim", `${usage.calls} model calls${cost}`),
  ].join("\n")}\n`;
}

function tryLines(tried: RepairTry, number: number, style: Style): readonly string[] {
  const { accepted, diagnosis, reason, failing, affected } = tried;
  const verdict = paint(style, accepted ? "green" : "red", accepted ? "accepted" : "refused");
  const changes = diagnosis.diff.flatMap(({ message }) => wrap(style, message, 2));
  const rows = [
    ...(failing ? [row(failing.scenario, failing.before, failing.after, failing.isImproved ? "better" : "")] : []),
    ...affected.map(({ scenario, before, after, isWorse }) => row(scenario, before, after, isWorse ? "worse" : "")),
  ];
  return [`try ${number}: ${verdict}`, ...changes, ...wrap(style, reason, 2), ...rows, ""];
}

function row(scenario: string, before: MeasuredTrials | null, after: MeasuredTrials, word: string): string {
  const from = before ? `${before.passes}/${before.trials}` : "passed";
  return `    ${oneLine(scenario)}: ${from} → ${after.passes}/${after.trials}${word && ` ${word}`} (run ${after.runId})`;
}

/** Formats an event of a repair on one line; empty for events without a line. */
export function progressLine(event: RepairEvent): string {
  switch (event.kind) {
    case "diagnosis":
      return `try ${event.attempt}: asking the model\n`;
    case "run": {
      const { measures, scenarios, repeats } = event;
      const what = scenarios.length === 1 ? `"${oneLine(scenarios[0] ?? "")}"` : `${scenarios.length} scenarios`;
      return `running ${what} ${repeats} times ${measures === "before" ? "without" : "with"} the change\n`;
    }
    case "try-end":
      return `try ${event.attempt}: ${event.tried.accepted ? "accepted" : "refused"}\n`;
    default:
      return "";
  }
}
