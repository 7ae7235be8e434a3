import { type Figure, sized } from "../figure.ts";
import { deleted, type FaultOutcome, frozenForAMinute, gone, killedFiveTimes, undisturbed } from "./faults.ts";
import { readTimes, writtenByMany } from "./sizes.ts";

/** A run whose database is gone waits for half a minute, however small it is. */
const FAULTS = {
  killed_5_times: killedFiveTimes,
  ...(sized(1, 0) === 1 ? { gone } : {}),
  ...{ frozen_for_a_minute: frozenForAMinute, deleted },
};

/** Tolerated slowdown of calls while the database fails: the noise between equal runs on a busy machine. */
const MOST_OVER = 1.15;

/** Effect of database faults on the results of 400 calls and on the calls, and the speed of reading large databases. */
export async function* bench(): AsyncIterable<Figure> {
  const plain = await undisturbed();
  yield {
    name: "lost_without_fault",
    value: plain.lost,
    unit: "results",
    against: `${sized(400, 16)} calls on sqld`,
    bound: 0,
  };
  for (const [name, fault] of Object.entries(FAULTS)) yield* figuresOf(name, await fault(), plain);
  yield* await writtenByMany();
  yield* await readTimes();
}

function figuresOf(name: string, outcome: FaultOutcome, plain: FaultOutcome): readonly Figure[] {
  const { report, lost, miscounted, recovered, wallMs } = outcome;
  const { results, stored, spooled, durationMs } = report;
  const against = `${results.length} calls: ${stored} stored, ${spooled} spooled, ${recovered} recovered`;
  const undisturbedMs = plain.report.durationMs;
  return [
    { name: `lost_${name}`, value: lost, unit: "results", against, bound: 0 },
    { name: `miscounted_${name}`, value: miscounted, unit: "results", against, bound: 0 },
    {
      name: `calls_wall_over_without_fault_${name}`,
      value: Number((durationMs / undisturbedMs).toFixed(3)),
      unit: "ratio",
      against: `${Math.round(undisturbedMs)} ms of calls without a fault`,
      bound: MOST_OVER,
    },
    { name: `run_ms_${name}`, value: Math.round(wallMs), unit: "ms", against: "calls and the wait for the database" },
  ];
}
