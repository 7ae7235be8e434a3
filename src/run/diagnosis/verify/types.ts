import type { Gate } from "../../../base/statistics/mod.ts";
import type { Clock } from "../../../base/values/mod.ts";
import type { ModelReference } from "../../../call/models/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { ScenarioSource } from "../../../document/scenario/mod.ts";
import type { Usage } from "../../../document/transcript/mod.ts";
import type { RunOptions } from "../../runner/mod.ts";
import type { StoredRun } from "../../store/mod.ts";
import type { Diagnosis } from "../types.ts";
import type { RepairLimits } from "./limits.ts";

/** Trials of a scenario on one graph. */
export interface MeasuredTrials {
  readonly passes: number;
  /** Trials that passed or failed. */
  readonly trials: number;
  /** The run that has them. */
  readonly runId: string;
}

/** The trials of the failing scenario without and with a change. */
export interface FailingComparison {
  readonly scenario: string;
  readonly before: MeasuredTrials;
  readonly after: MeasuredTrials;
  /** p-value of Fisher's exact test. */
  readonly p: number;
  /** The p-value times `maxIterations`; below 0.05 the improvement is significant. */
  readonly corrected: number;
  readonly isImproved: boolean;
}

/** The trials of a passing scenario whose calls visit the change. */
export interface AffectedComparison {
  readonly scenario: string;
  /** `null`: not measured, because the scenario passed every trial with the change. */
  readonly before: MeasuredTrials | null;
  readonly after: MeasuredTrials;
  readonly gate: Gate;
  readonly isWorse: boolean;
}

/** A change that was tried. */
export interface RepairTry {
  /** The diagnosis and the change. */
  readonly diagnosis: Diagnosis;
  readonly accepted: boolean;
  /** Why it was accepted or rejected, as one sentence. */
  readonly reason: string;
  /** `null`: not measured. */
  readonly failing: FailingComparison | null;
  /** Empty if the failing scenario did not improve: the others did not run then. */
  readonly affected: readonly AffectedComparison[];
}

/**
 * Outcome of a repair. `repaired`: a change was accepted. `refused`: none was. `not_repairable`: the fault is not in the
 * graph, or no change was proposed. `unmeasurable`: this number of trials cannot show that a change helps. `stopped`: a
 * limit was reached, calls could not run, or it was aborted.
 */
export type RepairOutcome = "repaired" | "refused" | "not_repairable" | "unmeasurable" | "stopped";

/** The result of a repair, with every number behind its outcome. */
export interface Repair {
  readonly outcome: RepairOutcome;
  /** As one sentence. */
  readonly reason: string;
  readonly scenario: string;
  /** The first diagnosis; for an accepted change, that of its attempt. `null` if it stopped before. */
  readonly diagnosis: Diagnosis | null;
  /** The failing scenario on the unchanged graph; `null`: not measured. */
  readonly before: MeasuredTrials | null;
  readonly tries: readonly RepairTry[];
  /** The repaired graph; `null` unless a change was accepted. */
  readonly graph: AgentGraph | null;
  /** Ids of the runs, oldest first. */
  readonly runIds: readonly string[];
  /** All model calls: of the diagnoses and of the runs. */
  readonly usage: Usage;
}

/** Events of `onProgress` during a repair. */
export type RepairEvent =
  | { readonly kind: "diagnosis"; readonly attempt: number }
  | { readonly kind: "proposal"; readonly attempt: number; readonly diagnosis: Diagnosis }
  | {
      readonly kind: "run";
      /** The subject of the run: the unchanged graph, the failing scenario, or the scenarios that visit the change. */
      readonly measures: "before" | "failing" | "affected";
      readonly scenarios: readonly string[];
      readonly repeats: number;
    }
  | { readonly kind: "try-end"; readonly attempt: number; readonly tried: RepairTry };

/** Options of `repair()`. */
export interface RepairOptions {
  /** The scenarios of the run: at least the failing one, and all that passed. */
  readonly scenarios: readonly ScenarioSource[];
  /** The run of the failed result. Without it, all scenarios run on the unchanged graph first. */
  readonly run?: StoredRun;
  /** Model of the diagnosis. Default: the run's judge, else its agent. */
  readonly model?: ModelReference;
  /** Trials of each scenario on each graph. Default: 8. */
  readonly repeats?: number;
  /** Maximum number of changes to try. Default: 3. */
  readonly maxIterations?: number;
  readonly limits?: RepairLimits;
  /** Options of the runs: models, store, budgets, … `repeat` is set by the repair. */
  readonly runOptions?: RunOptions;
  readonly onProgress?: (event: RepairEvent) => void;
  readonly signal?: AbortSignal;
  /** Clock of `limits.wallMs`. Default: the machine's. */
  readonly clock?: Clock;
}
