import { isListOf, isRecord, isTexts } from "../../base/values/mod.ts";
import type { Message, ToolCall } from "../../document/transcript/mod.ts";
import { resultText } from "../turn/mod.ts";
import type { ConnectionRecord, ReportedToolCall } from "./connection.ts";

/** A tool call with everything that the agent did not report. */
export function calledAt(
  { name, arguments: args, result = null, outcome = "succeeded", mocked = false, durationMs = 0 }: ReportedToolCall,
  nodeId: string,
): ToolCall {
  return { name, arguments: args, result, outcome, durationMs, nodeId, mocked };
}

export function toolMessage(call: ToolCall): Pick<Message, "content" | "metadata"> {
  const { nodeId: _, durationMs: duration_ms, ...rest } = call;
  const content = `${call.name}(${JSON.stringify(call.arguments)}) ${call.outcome}: ${resultText(call.result)}`;
  return { content, metadata: { kind: "tool_call", ...rest, duration_ms } };
}

export function isConnectionRecord(value: unknown): value is ConnectionRecord {
  if (!isRecord(value)) return false;
  const { nodesVisited = [], variables = {}, toolsCalled = [], ended } = value;
  const isEnd = ended === undefined || ended === "agent_ended" || ended === "agent_transferred";
  return isTexts(nodesVisited) && isRecord(variables) && isListOf(toolsCalled, isToolCall) && isEnd;
}

function isToolCall(value: unknown): boolean {
  return isRecord(value) && typeof value.name === "string" && isRecord(value.arguments);
}

export function isEvent(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value.kind === "says") return typeof value.text === "string" && typeof (value.reported ?? "") === "string";
  if (value.kind === "node") return typeof value.node === "string" && value.node !== "";
  return value.kind === "tool" && isToolCall(value.call);
}
