import type { JsonObject } from "../../../base/values/mod.ts";
import type { Caller } from "../../../call/callers/mod.ts";
import type { AuditedCall } from "../../../call/judges/mod.ts";
import type { RecordedTools } from "../../../call/turn/mod.ts";
import type { CheckResult } from "../../../document/transcript/mod.ts";
import type { NewResult, RunKind } from "../../store/mod.ts";
import type { TrialAttempt } from "../options/mod.ts";
import type { CallerSetup } from "./caller_of.ts";
import type { EngineCall } from "./run_call.ts";
import type { StartedCall } from "./started_call.ts";

/** A run whose calls are not simulated from its scenarios alone. */
export interface RunVariant {
  readonly kind: RunKind;
  /** Stored with the options of the run. Must not contain secrets. */
  readonly options: JsonObject;
  /** Whether the calls are judged by their scenarios. */
  readonly isJudged: boolean;
  /** Whether names in the scenarios must exist in the graph. Default: true. */
  readonly namesAreChecked?: boolean;
  callOf(slot: TrialAttempt): ReplayedCall | PastCall;
}

/** A call with a recorded caller and recorded tools. */
export interface ReplayedCall {
  /** Creates the caller, in place of the scenario's. */
  readonly caller: (setup: CallerSetup) => Caller;
  /** Start variables, which override those of the scenario. */
  readonly variables: JsonObject;
  readonly tools: RecordedTools;
  readonly maxTurns: number;
  /** Returns the input of the caller's audit; `undefined` if no model spoke. */
  audited(call: EngineCall): AuditedCall | undefined;
  /** Adds to the result of a completed call. */
  complete(result: NewResult): NewResult;
}

/** A past call, which is only judged. */
export interface PastCall {
  readonly past: StartedCall;
  /** Whether the call has enough data for a check; otherwise the check is dropped. */
  isKnown(check: CheckResult): boolean;
  /** Adds to its result. */
  complete(result: NewResult): NewResult;
}
