import type { Call, Message } from "../../../document/transcript/mod.ts";

/** A finished call with a simulated caller. */
export interface AuditedCall extends Pick<Call, "transcript" | "endReason"> {
  /** The caller's persona, as its model received it. */
  readonly persona: string;
  /** The caller's other knowledge: lines to say, and values of variables. */
  readonly given: readonly string[];
}

/** Everything that the caller could know before a message, as a text: its own input, and what agent and tools said. */
export function knownBefore({ persona, given, transcript }: AuditedCall, message: Message): readonly string[] {
  const earlier = transcript.slice(0, transcript.indexOf(message));
  return [persona, ...given, ...earlier.filter(({ role }) => role !== "user").map(messageText)];
}

/** Content of a message; for a tool call also its metadata, such as the complete result. */
export function messageText({ role, content, metadata }: Message): string {
  return role === "tool" && metadata.kind === "tool_call" ? `${content} ${JSON.stringify(metadata)}` : content;
}
