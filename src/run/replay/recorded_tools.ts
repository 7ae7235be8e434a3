import { type JsonObject, sameJson } from "../../base/values/mod.ts";
import type { RecordedTools, ToolAnswer, UnmatchedTools } from "../../call/turn/mod.ts";
import { type ResultRecord, redactedResult } from "../store/mod.ts";

/**
 * Answers tool calls from a recorded call: the next unused result for the same name and equal arguments. Each
 * result is used once, so that equal calls get their results in the recorded order.
 *
 * @param isLastTurn Whether the caller has said its last words of the recording.
 */
export function createRecordedTools(
  result: ResultRecord,
  unmatched: UnmatchedTools,
  isLastTurn: () => boolean,
): RecordedTools {
  const calls = [...result.toolsCalled];
  return {
    unmatched,
    answer: (name, args) => {
      const found = taken(calls, (call) => call.name === name && isSame(call.arguments, args));
      return found && { outcome: found.outcome, result: found.result ?? null, mocked: true };
    },
    transfer: createTransfers(result, isLastTurn),
  };
}

/**
 * Answers attempts to transfer. Those of the recording failed, except the last one of a transferred call. A
 * failure is recorded as a transition only if the node has one for it.
 */
function createTransfers({ transcript, nodesVisited, endReason }: ResultRecord, isLastTurn: () => boolean) {
  const last = endReason === "agent_transferred" ? nodesVisited.at(-1) : undefined;
  const since = transcript.findLastIndex(({ role }) => role === "user");
  let failures = transcript
    .slice(since + 1)
    .filter(({ metadata: { kind, from } }) => kind === "transition" && from === last).length;
  return (nodeId: string): ToolAnswer["outcome"] | undefined => {
    if (!nodesVisited.includes(nodeId)) return undefined;
    if (nodeId !== last || !isLastTurn()) return "failed";
    return failures-- > 0 ? "failed" : "succeeded";
  };
}

/** Whether arguments are equal. Secrets in stored ones are redacted. */
function isSame(stored: JsonObject, given: JsonObject): boolean {
  return sameJson(stored, given) || sameJson(stored, redactedResult({ arguments: given }).arguments);
}

/** Removes and returns the first item for which the test holds. */
function taken<Item>(items: Item[], test: (item: Item) => boolean): Item | undefined {
  const index = items.findIndex(test);
  return index < 0 ? undefined : items.splice(index, 1)[0];
}
