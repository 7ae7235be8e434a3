import { DEFAULT_GATE, decideGate, type Gate, type GateVerdict } from "../../../base/statistics/mod.ts";
import type { Scenario, ScenarioGate } from "../../../document/scenario/mod.ts";
import type { ResultStatus } from "../../store/mod.ts";
import type { ResolvedScenario } from "../call/mod.ts";
import type { RunOptions } from "../options/mod.ts";

/** Default of `repeat.times`. */
export const DEFAULT_REPEAT = 1;

/** The trials of one scenario in a run. */
export interface TrialPlan {
  readonly resolved: ResolvedScenario;
  /** Number of trials. */
  readonly planned: number;
  readonly gate: Gate;
  /** Whether trials that have not started are omitted once the gate is decided. */
  readonly sequential: boolean;
}

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

/** Counts the results of a scenario and decides its gate as they arrive. */
export interface Tally {
  add(status: ResultStatus): void;
  verdict(): GateVerdict;
}

/** Starts counting the results of a plan's trials. */
export function createTally({ gate, planned }: Pick<TrialPlan, "gate" | "planned">): Tally {
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
