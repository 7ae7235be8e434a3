import { type Issue, ScenarioError } from "../../base/errors.ts";
import { isListOf, isRecord, isTexts, shown } from "../../base/values/mod.ts";

/**
 * Validates a call at run time, for callers without type checks.
 *
 * @param action For the message: "Cannot write a scenario from a call".
 * @throws {ScenarioError} `invalid-option`.
 */
export function checkFinishedCall(value: unknown, action: string, path: Issue["path"] = ["call"]): void {
  if (isFinishedCall(value)) return;
  throw new ScenarioError(`${action}: "${path.join(".")}" is not a call but ${shown(value)}`, {
    code: "invalid-option",
    path,
    hint: "Pass a result, or { transcript, nodesVisited, toolsCalled, variables, endReason }",
  });
}

/**
 * Validates a list of calls of which only ids and transcripts are read.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function checkTranscripts(value: unknown, action: string): void {
  const isCall = (call: unknown) =>
    isRecord(call) && typeof call.id === "string" && isListOf(call.transcript, isMessage);
  if (isListOf(value, isCall)) return;
  throw new ScenarioError(`${action}: "calls" is not a list of calls but ${shown(value)}`, {
    code: "invalid-option",
    path: ["calls"],
    hint: "Pass results, or objects { id, transcript }",
  });
}

function isFinishedCall(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { transcript, nodesVisited, toolsCalled, variables, endReason } = value;
  return (
    isListOf(transcript, isMessage) &&
    isTexts(nodesVisited) &&
    isListOf(toolsCalled, (call) => isRecord(call) && typeof call.name === "string" && isRecord(call.arguments)) &&
    isRecord(variables) &&
    (endReason === undefined || typeof endReason === "string")
  );
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { role, content, node_id: id, metadata } = value;
  return [role, content, id].every((text) => typeof text === "string") && isRecord(metadata);
}
