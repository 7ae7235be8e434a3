import type { Message } from "../../document/transcript/mod.ts";

/** The parts of a call that the judge sees. */
export interface JudgedLine {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/**
 * The spoken lines of a call. Interruptions and silences of timelines are in brackets after the words that
 * they follow.
 */
export function judgedLines(transcript: readonly Message[]): JudgedLine[] {
  const lines: JudgedLine[] = [];
  for (const { role, content, metadata } of transcript) {
    if (role === "user" || role === "assistant") lines.push({ role, content });
    const last = lines.at(-1);
    if (last && role === "system" && (metadata.kind === "interruption" || metadata.kind === "silence"))
      lines.splice(-1, 1, { ...last, content: `${last.content} [${content}]` });
  }
  return lines;
}
