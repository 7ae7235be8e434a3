import type { Recording } from "../../../src/call/models/mod.ts";

/** A recording with something in every list. */
export function recording(changes: Partial<Recording> = {}): Recording {
  return {
    key: "0123456789abcdef0123456789abcdef",
    role: "agent",
    signature: "respond",
    model: "openai/m",
    trial: 1,
    occurrence: 0,
    slice: "abc",
    request: ["[system]", "Ask for the name.", "\0 and half a \ud800"],
    content: [
      { type: "text", text: 'Hello, "friend"' },
      { type: "tool-call", toolCallId: "1", toolName: "lookup", input: '{"id":7}' },
    ],
    finish_reason: "tool-calls",
    ...changes,
  };
}
