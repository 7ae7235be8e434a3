import type { JudgedCall } from "../../../src/call/judges/mod.ts";
import type { Message, ToolCall } from "../../../src/document/transcript/mod.ts";

/** A line of a transcript. */
export function line(role: Message["role"], content: string, node_id = "greet"): Message {
  return { role, content, node_id, timestamp: "2026-01-02T03:04:05.678Z", metadata: {} };
}

/** A finished call, with what a test wants to be different. */
export function finishedCall(changes: Partial<JudgedCall> = {}): JudgedCall {
  return {
    transcript: [
      line("assistant", "Hello, you are through to  Acme."),
      line("user", "My number is 123-45."),
      line("tool", "secret tool output"),
      line("assistant", "Your reference is REF-A7.", "billing"),
    ],
    nodesVisited: ["greet", "ask", "billing", "ask", "goodbye"],
    toolsCalled: [],
    variables: { intent: "billing", amount: "30", constructor: "x" },
    endReason: "agent_ended",
    ...changes,
  };
}

/** A tool call that succeeded. */
export function toolCall(name: string, args: ToolCall["arguments"]): ToolCall {
  return {
    name,
    arguments: args,
    result: null,
    outcome: "succeeded",
    durationMs: 1,
    nodeId: "billing",
    mocked: true,
  };
}
