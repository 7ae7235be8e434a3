import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, isRecord, OPTION, oneOf, pick, rule } from "../../base/values/mod.ts";
import type { UnmatchedTools } from "../../call/turn/mod.ts";
import type { ScenarioSource } from "../../document/scenario/mod.ts";
import { REPLAY_SETTINGS, ruleOf } from "../../document/settings/mod.ts";
import type { ReplayRecord } from "../../document/transcript/mod.ts";
import type { RunOptions } from "../runner/mod.ts";
import { RESULT_STATUSES, type ResultStatus } from "../store/mod.ts";

/** How the caller of a replay speaks. */
export const REPLAY_MODES = ["strict", "adaptive"] as const satisfies readonly ReplayRecord["mode"][];

/** Default statuses of the results to replay. Calls that broke off are not compared. */
export const REPLAYED_STATUSES: readonly ResultStatus[] = ["pass", "fail", "imported", "invalid"];

/** Options of `replay()`. Those it shares with `run()` mean the same. */
export interface ReplayOptions
  extends Pick<
    RunOptions,
    | "models"
    | "requests"
    | "store"
    | "judging"
    | "limits"
    | "turn"
    | "tools"
    | "toolState"
    | "liveTools"
    | "clock"
    | "signal"
    | "name"
    | "listeners"
    | "telemetry"
  > {
  /**
   * `strict`: the caller says the recorded words in order. `adaptive`: where the agent says something else than in the
   * recording, the caller's model speaks, with the recorded caller's knowledge and goals. Default: `strict`.
   */
  readonly mode?: ReplayRecord["mode"];
  /** How to answer tool calls that the recording does not have. Default: `mocks`. */
  readonly unmatchedTools?: UnmatchedTools;
  /** Scenarios of the recorded run, for their mocks and, with `judge`, their expectations. */
  readonly scenarios?: readonly ScenarioSource[];
  /** Whether the calls are also judged by `judging.metrics` and by the scenarios of their names. Default: false. */
  readonly judge?: boolean;
  /** Names of scenarios, or ids of results or their first characters. Default: every result. */
  readonly only?: readonly string[];
  /** Statuses of the results to replay. Default: `pass`, `fail`, `imported` and `invalid`. */
  readonly statuses?: readonly ResultStatus[];
}

const RULES = {
  mode: oneOf(...REPLAY_MODES),
  unmatchedTools: ruleOf(REPLAY_SETTINGS["unmatched-tools"]),
  scenarios: OPTION.list,
  judge: OPTION.switch,
  only: OPTION.texts,
  statuses: rule(
    `a list of ${RESULT_STATUSES.join(", ")}`,
    (value) => Array.isArray(value) && value.every((status) => RESULT_STATUSES.includes(status)),
  ),
};

/**
 * Checks the options that a replay does not share with a run.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function checkReplayOptions(options: unknown): void {
  const given = isRecord(options) ? pick(options, Object.keys(RULES)) : options;
  checkOptions(given ?? null, RULES, ScenarioError, "Cannot replay calls");
}

const SOURCE = {
  source: rule("a run of a store, or the id of one", (value) => typeof value === "string" || isStoredRun(value)),
};

/**
 * Checks a run to replay.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function checkReplaySource(source: unknown): void {
  checkOptions({ source: source ?? null }, SOURCE, ScenarioError, "Cannot replay calls");
}

function isStoredRun(value: unknown): boolean {
  if (!isRecord(value) || !isRecord(value.run) || !isRecord(value.run.options) || !isRecord(value.graph)) return false;
  return (
    Array.isArray(value.results) && value.results.every((each) => isRecord(each) && Array.isArray(each.transcript))
  );
}
