import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, isRecord, rule } from "../../base/values/mod.ts";
import type { EndReason, Message } from "../../document/transcript/mod.ts";
import type { Caller } from "./caller.ts";
import { createScriptedCaller } from "./script.ts";

/** The parts of a recorded call that a replay needs. */
export interface ReplayableCall {
  readonly transcript: readonly Message[];
  /** End reason of the recording. If its caller hung up, the replay hangs up too. */
  readonly endReason?: EndReason | null;
}

const TRANSCRIPT = rule(
  "a list of messages with { role, content }",
  (value) => Array.isArray(value) && value.every((line: unknown) => isRecord(line) && typeof line.content === "string"),
);

/**
 * Creates a caller that repeats the lines of a recorded call.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function createReplayCaller(call: ReplayableCall): Caller {
  const { transcript = null } = call ?? {};
  checkOptions({ transcript }, { transcript: TRANSCRIPT }, ScenarioError, "Cannot replay a call");
  const lines = call.transcript.filter(({ role }) => role === "user").map(({ content }) => content);
  return createScriptedCaller(lines, call.endReason === "caller_ended" ? "caller_ended" : "caller_exhausted");
}
