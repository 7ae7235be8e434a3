import { setMaxListeners } from "node:events";
import { isCallweaveError, ScenarioError } from "../../../base/errors.ts";
import { DEFAULT_GATE, decideGate, type Gate, type GateVerdict } from "../../../base/statistics/mod.ts";
import { eitherSignal, formatDollars, isRecord } from "../../../base/values/mod.ts";
import { isLastingFailure } from "../../../call/connection/mod.ts";
import type { CallUsage, Role } from "../../../call/models/mod.ts";
import type { Scenario, ScenarioGate } from "../../../document/scenario/mod.ts";
import type { NewResult, ResultStatus, ResultSummary, RunPart } from "../../store/mod.ts";
import type { ResolvedScenario } from "../call/mod.ts";
import type { RunOptions, TrialAttempt } from "../options.ts";
import { roleOf } from "../report.ts";

/** The trials of one scenario in a run. */
export interface TrialPlan {
  readonly resolved: ResolvedScenario;
  /** Number of trials. */
  readonly planned: number;
  readonly gate: Gate;
  /** Whether trials that have not started are omitted once the gate is decided. */
  readonly sequential: boolean;
}

/** Default of `repeat.times`. */
const DEFAULT_REPEAT = 1;

/** Plans the number of trials of each scenario, and when they pass. */
export function planTrials(resolved: readonly ResolvedScenario[], options: RunOptions): readonly TrialPlan[] {
  return resolved.map((each) => ({ resolved: each, ...trialCount(each.scenario, options) }));
}

/** Returns the number of a scenario's trials, their gate, and whether a decided gate ends them. */
export function trialCount(
  { repeat, gate }: Pick<Scenario, "repeat" | "gate">,
  options: Pick<RunOptions, "repeat">,
): Omit<TrialPlan, "resolved"> {
  const given = gate ? gateOf(gate) : options.repeat?.gate;
  return {
    planned: repeat ?? options.repeat?.times ?? DEFAULT_REPEAT,
    gate: given ?? DEFAULT_GATE,
    sequential: options.repeat?.sequential ?? given !== undefined,
  };
}

function gateOf(gate: ScenarioGate): Gate {
  if ("min_pass_rate" in gate) return { minPassRate: gate.min_pass_rate };
  return "pass_any" in gate ? { passAny: true } : { passAll: true };
}

/** A result of an earlier process of the same run. */
export type StoredTrial = Pick<ResultSummary, "scenario" | "trial" | "status"> & { readonly attempt?: number };

/** Finds the trials of a plan that an earlier process has decided: they passed or failed, and are not run again. */
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

interface OpenPlan<Taken> {
  readonly plan: TrialPlan;
  readonly tally: Tally;
  /** Number of attempts of earlier processes, by trial. */
  readonly attempts: ReadonlyMap<number, number>;
  /** Trials that passed or failed in an earlier process. */
  readonly decidedTrials: ReadonlySet<number>;
  readonly tasks: Promise<readonly Taken[]>[];
}

/** Runs a task when a slot is free; the tasks of a run start in the order in which they were added. */
export type Schedule = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** What a task gets in its slot. `free` gives the slot to the next task before this one is over. */
export type TrialSlot = { readonly free: () => void };

/** How the trials of a run are scheduled. */
export interface TrialRun<Taken> {
  readonly schedule: <Result>(task: (slot: TrialSlot) => Promise<Result>) => Promise<Result>;
  /** Starts a trial. It may run its call several times, or never. */
  readonly startTrial: (plan: TrialPlan, slot: TrialSlot) => StartedTrial;
  /** Called with each result and the verdict so far. The next call does not wait for it. */
  readonly take: (result: NewResult, verdict: GateVerdict) => Promise<Taken>;
  /** Trials that passed or failed in an earlier process are skipped. */
  readonly storedTrials?: readonly StoredTrial[];
}

/** A trial that has a slot. */
export interface StartedTrial {
  /** Runs one call; `undefined` if it was omitted because the gate is decided. */
  readonly runCall: (slot: TrialAttempt) => Promise<NewResult | undefined>;
  /** Called after its last call. */
  readonly end?: () => void;
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

async function runTrial<Taken>(
  trial: number,
  { plan, tally, attempts }: OpenPlan<Taken>,
  { schedule, startTrial, take }: TrialRun<Taken>,
): Promise<readonly Taken[]> {
  const taken: Promise<Taken>[] = [];
  const first = (attempts.get(trial) ?? 0) + 1;
  await schedule(async (slot) => {
    const { runCall, end } = startTrial(plan, slot);
    try {
      if (plan.sequential && tally.verdict() !== "undecided") return;
      for (let attempt = first; attempt < first + MOST_ATTEMPTS; attempt++) {
        const result = await runCall({ scenario: plan.resolved.scenario.name, trial, attempt });
        if (result === undefined) return;
        tally.add(result.status);
        taken.push(take(result, tally.verdict()));
        if (result.status !== "invalid") return;
      }
    } finally {
      end?.();
    }
  });
  return await Promise.all(taken);
}

/** Counts the results of a scenario and decides its gate as they arrive. */
export interface Tally {
  add(status: ResultStatus): void;
  verdict(): GateVerdict;
}

/** Starts counting the results of a plan's trials. */
function createTally({ gate, planned }: Pick<TrialPlan, "gate" | "planned">): Tally {
  let passes = 0;
  let fails = 0;
  return {
    add: (status) => {
      if (status === "pass") passes += 1;
      if (status === "fail") fails += 1;
    },
    verdict: () => decideGate(gate, { passes, fails, planned: Math.max(planned, passes + fails) }),
  };
}

/** Whether a value is a shard: `{ index, total }` with whole numbers and `index` from 1 to `total`. */
export function isShard(value: unknown): value is RunPart {
  if (!isRecord(value)) return false;
  const { index, total } = value;
  if (typeof index !== "number" || typeof total !== "number") return false;
  return Number.isSafeInteger(index) && Number.isSafeInteger(total) && index >= 1 && index <= total;
}

/**
 * Selects the scenarios of one shard. All trials of a scenario are in one shard, so that its gate is decided there. Each
 * scenario goes to the shard with the fewest trials so far, so that equal runs are split equally on every machine.
 *
 * @throws {ScenarioError} `invalid-option` when there are more shards than scenarios, in every shard.
 */
export function plansOfShard(plans: readonly TrialPlan[], shard: RunPart | undefined): readonly TrialPlan[] {
  if (shard === undefined) return plans;
  if (shard.total > plans.length) {
    throw new ScenarioError(`Cannot run shard ${formatShard(shard)}: there are only ${plans.length} scenarios`, {
      code: "invalid-option",
      path: ["shard", "total"],
      hint: `Use at most ${plans.length} shards`,
    });
  }
  const trials = Array.from({ length: shard.total }, () => 0);
  return plans.filter(({ planned }) => {
    const least = trials.indexOf(Math.min(...trials));
    trials[least] = (trials[least] ?? 0) + planned;
    return least === shard.index - 1;
  });
}

/** Formats a shard as on the command line: `2/4`. */
export function formatShard({ index, total }: RunPart): string {
  return `${index}/${total}`;
}

/** Stops a run before all calls are finished. */
export interface Stop {
  /** Aborted when the run stops, and when the run's own signal is aborted. */
  readonly signal: AbortSignal;
  /**
   * Checks the usage and the error of a finished call.
   *
   * @param error What a model, the caller or the runner threw; `undefined` when nothing was thrown.
   * @param chargedUsd What the platform of a deployed agent charged for the call; `null` if it did not say.
   */
  onCall(usage: readonly CallUsage[], error: unknown, chargedUsd?: number | null): void;
  /** Checks a result, and the verdict on its scenario so far. */
  onResult(result: Pick<NewResult, "scenario" | "status">, verdict: GateVerdict): void;
  reason(): { readonly stopped?: string };
}

/**
 * Stops a run when a provider rejects the key at a role's first request, because it would reject every other call too;
 * with `limits.failFast` also at the first scenario that fails and at the first call that ends in an error, and with
 * `limits.maxCostUsd` when the calls have cost more.
 */
export function createStop({ signal, limits: { failFast = false, maxCostUsd } = {}, models }: RunOptions): Stop {
  const controller = new AbortController();
  const answered = new Set<Role>();
  let stopped: string | undefined;
  let spentUsd = 0;
  const stop = (reason: string) => {
    if (controller.signal.aborted) return;
    stopped = reason;
    controller.abort();
  };
  const over = eitherSignal(signal, controller.signal);
  setMaxListeners(0, over); // one for each judgement that runs
  return {
    signal: over,
    onCall: (usage, error, chargedUsd = 0) => {
      spentUsd += usage.reduce((sum, each) => sum + (each.costUsd ?? 0), chargedUsd ?? 0);
      if (maxCostUsd !== undefined && chargedUsd === null)
        stop("what a call cost is not known, and the cost is limited (maxCostUsd)");
      if (maxCostUsd !== undefined && spentUsd >= maxCostUsd)
        stop(
          `its calls have cost ${formatDollars(spentUsd)}, and the limit is ${formatDollars(maxCostUsd)} (maxCostUsd)`,
        );
      for (const { signature, failed } of usage) if (!failed) answered.add(roleOf(signature));
      if (isLastingFailure(error)) stop(`${error.message} (${error.hint})`);
      // scenarios with models of their own may have keys of their own
      if (!isCallweaveError(error) || error.code !== "key-refused" || models?.fromScenarios) return;
      const signature = usage.find((each) => each.signature === error.path[0])?.signature;
      if (signature === undefined || !answered.has(roleOf(signature))) stop(`${error.message} (${error.hint})`);
    },
    onResult: ({ scenario, status }, verdict) => {
      if (failFast && (verdict === "fail" || status === "error")) stop(`"${scenario}" did not pass`);
    },
    reason: () => (stopped === undefined ? {} : { stopped }),
  };
}
