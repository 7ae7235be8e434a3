import { readAct } from "../../document/scenario/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";

/** A line of the caller, and the question of the agent that it answers. */
export interface CallerLine {
  readonly asked: string | undefined;
  readonly said: string;
}

/** Matches a line that only greets, agrees or thanks. */
const COURTESY =
  /^(?:(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|yes|yeah|no|ok(?:ay)?|sure|thanks?|thank you|please|hallo|guten (?:morgen|tag|abend)|ja|nein|danke|bitte|bonjour|salut|oui|non|merci|hola|s[ií]|gracias|there|so much|very much|vielen dank)[\s,.!?]*)+$/iu;

/** What a caller does without words. */
const WORDLESS: ReadonlySet<string> = new Set(["silence", "music", "voicemail"]);

/** The lines of the caller, in order; blank ones and silence are left out. */
export function callerLines(transcript: readonly Message[]): readonly CallerLine[] {
  const lines: CallerLine[] = [];
  let heard = "";
  for (const { role, content, metadata } of transcript) {
    if (role === "assistant") heard = heard === "" ? content : `${heard} ${content}`;
    if (role !== "user") continue;
    const said = content.trim();
    const isWordless = WORDLESS.has(readAct(metadata.act)?.kind ?? "words");
    if (said !== "" && !isWordless) lines.push({ asked: lastQuestion(heard), said });
    heard = "";
  }
  return lines;
}

/** The first line that says what the caller wants, rather than a greeting. */
export function goalLine(lines: readonly CallerLine[]): string | undefined {
  return (lines.find(({ said }) => !isCourtesy(said)) ?? lines[0])?.said;
}

/** Whether a line only greets, agrees or thanks. */
export function isCourtesy(line: string): boolean {
  return COURTESY.test(line.slice(0, 200));
}

function lastQuestion(text: string): string | undefined {
  const end = text.lastIndexOf("?");
  if (end < 0) return undefined;
  const before = text.slice(0, end);
  const start = Math.max(
    before.lastIndexOf("."),
    before.lastIndexOf("!"),
    before.lastIndexOf("?"),
    before.lastIndexOf("\n"),
  );
  return text.slice(start + 1, end + 1).trim();
}
