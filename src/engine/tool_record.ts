import type { ToolCall } from "../graph/mod.ts";
import { resultText } from "../turn/mod.ts";
import { type CallState, record } from "./call_state.ts";

/** Keeps a tool call, in the list of calls and as a line of the transcript. */
export function recordToolCall(state: CallState, call: Omit<ToolCall, "node_id">): void {
  const { name, arguments: args, result, outcome } = call;
  const kept = { ...call, node_id: state.at };
  state.toolsCalled.push(kept);
  state.listeners.onTool?.(kept);
  record(state, "tool", `${name}(${JSON.stringify(args)}) ${outcome}: ${resultText(result)}`, {
    kind: "tool_call",
    ...call,
  });
}
