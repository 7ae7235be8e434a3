import type { Figure } from "../figure.ts";
import { deleted, type FaultOutcome, frozenForAMinute, gone, killedFiveTimes, undisturbed } from "./faults.ts";
import { lostOf10000, readTimes } from "./sizes.ts";

const FAULTS = { killed_5_times: killedFiveTimes, gone, frozen_for_a_minute: frozenForAMinute, deleted };

/** How much slower the calls of a run may be because its database fails: what a busy machine makes of equal runs. */
const MOST_OVER = 1.15;

/** What faults of the database do to the results of 400 calls and to the calls, and how fast large databases are read. */
export async function* bench(): AsyncIterable<Figure> {
  const plain = await undisturbed();
  yield { name: "lost_without_fault", value: plain.lost, unit: "results", against: "400 calls on sqld", bound: 0 };
  for (const [name, fault] of Object.entries(FAULTS)) yield* figuresOf(name, await fault(), plain);
  yield await lostOf10000();
  yield* await readTimes();
}

function figuresOf(name: string, outcome: FaultOutcome, plain: FaultOutcome): readonly Figure[] {
  const { report, lost, missing, recovered, wallMs } = outcome;
  const { stored, spooled, storeWarnings } = report;
  const against = `${report.results.length} calls: ${stored} stored, ${spooled} spooled, ${recovered} recovered${storeWarnings.length > 0 ? ", with a warning" : ""}`;
  const ratio = Number((report.durationMs / plain.report.durationMs).toFixed(3));
  return [
    { name: `lost_${name}`, value: lost, unit: "results", against, bound: 0 },
    {
      name: `told_as_stored_and_missing_${name}`,
      value: missing - displacedOf(outcome),
      unit: "results",
      against,
      bound: 0,
    },
    {
      name: `miscounted_${name}`,
      value: Math.abs(report.results.length - stored - spooled),
      unit: "results",
      against,
      bound: 0,
    },
    {
      name: `calls_wall_over_without_fault_${name}`,
      value: ratio,
      unit: "ratio",
      against: `${Math.round(plain.report.durationMs)} ms of calls without a fault`,
      bound: MOST_OVER,
    },
    { name: `run_ms_${name}`, value: Math.round(wallMs), unit: "ms", against: "calls and the wait for the database" },
  ];
}

/** Results that were stored when they were told, and moved to the spool when the database had lost them. */
function displacedOf({ report }: FaultOutcome): number {
  return report.storeWarnings.length > 0 ? report.spooled : 0;
}
