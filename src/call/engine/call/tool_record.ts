import type { ToolCall } from "../../../document/transcript/mod.ts";
import { resultText } from "../../turn/mod.ts";
import { type CallState, record } from "./call_state.ts";

/** Adds a tool call to the list of calls and to the transcript. */
export function recordToolCall(state: CallState, call: Omit<ToolCall, "nodeId">): void {
  const { durationMs, ...rest } = call;
  const { name, arguments: args, result, outcome } = rest;
  const kept = { ...call, nodeId: state.at };
  state.toolsCalled.push(kept);
  state.listeners.onTool?.({ call: kept });
  record(state, "tool", `${name}(${JSON.stringify(args)}) ${outcome}: ${resultText(result)}`, {
    kind: "tool_call",
    ...rest,
    duration_ms: durationMs, // messages are documents, in snake_case
  });
}
