import type { ToolCall } from "../../../src/document/transcript/mod.ts";
import { outcomeOf } from "../../reading/mod.ts";

/** Vapi's tool result for a handoff that succeeded. */
const HANDED_OFF = /no handoff destination returned|^handoff initiated|^transferr?(?:ed|ing)(?!.*(?:cancel|fail))/i;
/** Statuses and answers of transfers that did not go through, whatever else the sentence says. */
const NOT_THROUGH =
  /cancel|fail|reject|declin|denied|refus|busy|voicemail|unavailable|unsuccessful|unable|timed? ?out|no[- ]answer|not (?:answer|avail|connect|complet|possible|transfer|go through)|(?:could|can|did|was)(?: ?not|n['’]t)|cannot/i;

/** Whether a tool result says that a handoff or transfer succeeded. */
export function isHandedOff(result: unknown): boolean {
  return typeof result === "string" && HANDED_OFF.test(result);
}

/** The outcome of a handoff or transfer: the status of the transfer if the call has it, else the words of the result. */
export function handoffOutcome(result: unknown, status?: string): ToolCall["outcome"] {
  if (status === undefined && isHandedOff(result)) return "succeeded";
  const words = status ?? (typeof result === "string" ? result : (JSON.stringify(result) ?? ""));
  return NOT_THROUGH.test(words) ? "failed" : outcomeOf(result);
}
