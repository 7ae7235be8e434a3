import { ScenarioError } from "../../base/errors.ts";
import { checkOptions, isRecord, rule } from "../../base/values/mod.ts";
import type { Call } from "../../document/transcript/mod.ts";
import type { Caller } from "./caller.ts";
import { createScriptedCaller } from "./script.ts";

const TRANSCRIPT = rule(
  "a list of messages with { role, content }",
  (value) => Array.isArray(value) && value.every((line: unknown) => isRecord(line) && typeof line.content === "string"),
);

/**
 * Creates a caller that repeats the lines of a recorded call.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function createReplayCaller(call: Pick<Call, "transcript" | "endReason">): Caller {
  const { transcript = null } = call ?? {};
  checkOptions({ transcript }, { transcript: TRANSCRIPT }, ScenarioError, "Cannot replay a call");
  const lines = call.transcript.filter(({ role }) => role === "user").map(({ content }) => content);
  return createScriptedCaller(lines, call.endReason === "caller_ended" ? "caller_ended" : "caller_exhausted");
}
