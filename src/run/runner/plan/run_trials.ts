import type { GateVerdict } from "../../../base/statistics/mod.ts";
import type { NewResult, ResultSummary } from "../../store/mod.ts";
import type { TrialAttempt } from "../options/mod.ts";
import { createTally, type Tally, type TrialPlan } from "./plan_trials.ts";

/** Runs a task when a slot is free; the tasks of a run start in the order in which they were added. */
export type Schedule = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** A result of an earlier process of the same run. */
export type StoredTrial = Pick<ResultSummary, "scenario" | "trial" | "status"> & { readonly attempt?: number };

/** How the trials of a run are scheduled. */
export interface TrialRun<Taken> {
  readonly schedule: Schedule;
  /** Runs one call; `undefined` if it was omitted because the gate is decided. */
  readonly runCall: (plan: TrialPlan, slot: TrialAttempt) => Promise<NewResult | undefined>;
  /** Called with each result and the verdict so far. The next call does not wait for it. */
  readonly take: (result: NewResult, verdict: GateVerdict) => Promise<Taken>;
  /** Trials that passed or failed in an earlier process are skipped. */
  readonly storedTrials?: readonly StoredTrial[];
}

/** Maximum number of attempts of a trial in one process. */
export const MOST_ATTEMPTS = 3;

/**
 * Runs the trials: the first trial of every scenario before the second of any. Trials whose gate is decided
 * before they start are omitted, if their plan allows it. A trial with status `invalid` is repeated, at most twice.
 *
 * @returns What `take` returned, by scenario, trial and attempt.
 */
export async function runTrials<Taken>(plans: readonly TrialPlan[], run: TrialRun<Taken>): Promise<readonly Taken[]> {
  const open = plans.map((plan) => openPlan<Taken>(plan, run.storedTrials ?? []));
  const most = plans.reduce((highest, { planned }) => Math.max(highest, planned), 0);
  for (let trial = 1; trial <= most; trial++) {
    for (const each of open) {
      if (trial <= each.plan.planned && !each.decidedTrials.has(trial)) each.tasks.push(runTrial(trial, each, run));
    }
  }
  const all = await Promise.allSettled(open.flatMap(({ tasks }) => tasks));
  const broken = all.find(({ status }) => status === "rejected");
  if (broken?.status === "rejected") throw broken.reason;
  return all.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

/** Counts the trials that earlier processes have not settled. */
export function openTrials(plan: TrialPlan, storedTrials: readonly StoredTrial[]): number {
  return Math.max(0, plan.planned - openPlan(plan, storedTrials).decidedTrials.size);
}

interface OpenPlan<Taken> {
  readonly plan: TrialPlan;
  readonly tally: Tally;
  /** Number of attempts of earlier processes, by trial. */
  readonly attempts: ReadonlyMap<number, number>;
  /** Trials that passed or failed in an earlier process. */
  readonly decidedTrials: ReadonlySet<number>;
  readonly tasks: Promise<readonly Taken[]>[];
}

function openPlan<Taken>(plan: TrialPlan, storedTrials: readonly StoredTrial[]): OpenPlan<Taken> {
  const tally = createTally(plan);
  const attempts = new Map<number, number>();
  const decidedTrials = new Set<number>();
  for (const { scenario, trial, attempt = 1, status } of storedTrials) {
    if (scenario !== plan.resolved.scenario.name) continue;
    attempts.set(trial, Math.max(attempt, attempts.get(trial) ?? 0));
    tally.add(status);
    if (status === "pass" || status === "fail") decidedTrials.add(trial);
  }
  return { plan, tally, attempts, decidedTrials, tasks: [] };
}

async function runTrial<Taken>(
  trial: number,
  { plan, tally, attempts }: OpenPlan<Taken>,
  { schedule, runCall, take }: TrialRun<Taken>,
): Promise<readonly Taken[]> {
  const taken: Promise<Taken>[] = [];
  const first = (attempts.get(trial) ?? 0) + 1;
  await schedule(async () => {
    if (plan.sequential && tally.verdict() !== "undecided") return;
    for (let attempt = first; attempt < first + MOST_ATTEMPTS; attempt++) {
      const result = await runCall(plan, { scenario: plan.resolved.scenario.name, trial, attempt });
      if (result === undefined) return;
      tally.add(result.status);
      taken.push(take(result, tally.verdict()));
      if (result.status !== "invalid") return;
    }
  });
  return await Promise.all(taken);
}
