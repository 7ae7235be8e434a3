import type { Message } from "../../src/document/transcript/mod.ts";

/** A call as messages of tau2-bench, which its own evaluator reads. */
export function tauMessages(transcript: readonly Message[]): readonly object[] {
  let count = 0;
  return transcript.flatMap(({ role, content, metadata }): readonly object[] => {
    if (role === "assistant" || role === "user") return content.trim() === "" ? [] : [{ role, content }];
    if (role !== "tool" || metadata.kind !== "tool_call") return [];
    const id = `call_${count}`;
    count += 1;
    const { name, arguments: args, result, outcome } = metadata;
    const failed = outcome === "failed";
    const text = typeof result === "string" ? result : JSON.stringify(result);
    return [
      { role: "assistant", content: null, tool_calls: [{ id, name, arguments: args, requestor: "assistant" }] },
      { role: "tool", id, content: failed ? `Error: ${text}` : text, requestor: "assistant", error: failed },
    ];
  });
}
