import type { Message } from "../graph/mod.ts";
import { foldText } from "./fold.ts";

/** A speaker's name that a quotation begins with. */
const SPEAKER = /^(?:assistant|agent|user|caller|customer)\s*:\s*/i;

/**
 * Looks for the words that a judge quotes in what was said, whatever their case and white space. A quotation may leave
 * words out ("…") or be made of several lines; then each of its parts has to be there.
 *
 * @returns The lines that the parts are found in; nothing when any part is not there, or nothing is quoted.
 */
export function findEvidence(evidence: string, transcript: readonly Message[]): readonly Message[] | undefined {
  const spoken = transcript
    .filter(({ role }) => role === "user" || role === "assistant")
    .map((line) => ({ line, text: foldText(line.content) }));
  const whole = foldText(evidence);
  const exact = spoken.find(({ text }) => whole !== "" && text.includes(whole));
  if (exact) return [exact.line];

  const found = new Set<Message>();
  for (const part of partsOf(evidence)) {
    const holder = spoken.find(({ text }) => text.includes(part));
    if (!holder) return undefined;
    found.add(holder.line);
  }
  return found.size > 0 ? [...found] : undefined;
}

/** The pieces of a quotation: what is in quotation marks, else its lines without the speakers' names. */
function partsOf(evidence: string): readonly string[] {
  const quoted = [...evidence.matchAll(/["\u201c\u201d]([^"\u201c\u201d]+)["\u201c\u201d]/g)].map(
    ([, inner]) => inner ?? "",
  );
  return (quoted.length > 0 ? quoted : evidence.split(/\r?\n/))
    .flatMap((line) =>
      line
        .trim()
        .replace(SPEAKER, "")
        .split(/\.\.\.|\u2026/),
    )
    .map((part) => foldText(part).replace(/^[\s"'\-*]+|[\s"'\-*.,;:!?]+$/g, ""))
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
}
