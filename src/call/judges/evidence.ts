import type { Message } from "../../document/transcript/mod.ts";
import type { Quotation } from "../models/mod.ts";
import { foldText } from "./fold.ts";
import { containsText } from "./text_search.ts";

/** Matches the speaker at the start of a quotation: `caller: …`, `The caller says "…"`. */
const SPEAKER = /^(?:the\s+)?(assistant|agent|user|caller|customer)\s*(?::|(?:says|said)\b:?)\s*/i;
/** Characters around a quotation that are not part of it. */
const MARKS_BEFORE = /[\s"'\-*]/;
const MARKS_AFTER = /[\s"'\-*.,;:!?]/;
/** Maximum number of parts of a quotation; more would be a whole transcript. */
const MOST_PARTS = 100;

interface Line {
  readonly line: Message;
  readonly folded: string;
}

/** Words that must appear in a single message of a speaker. */
interface Part {
  readonly role: "assistant" | "user";
  readonly text: string;
}

/**
 * Finds quoted evidence in the transcript, ignoring case and white space. Each quotation must be in a single message of
 * the speaker it names, because a caller may repeat what the agent should have said. A quotation may omit words ("…");
 * then each of its parts must appear. Takes linear time.
 *
 * @param evidence Quotations, or a text whose lines may start with a speaker's name. Quotations without a name are
 *   searched in the agent's messages only, because criteria are about the agent.
 * @returns The matching messages; empty when a part is missing or nothing is quoted.
 */
export function findEvidence(
  evidence: string | readonly Quotation[],
  transcript: readonly Message[],
): readonly Message[] | undefined {
  const lines = transcript
    .filter(({ role }) => role === "user" || role === "assistant")
    .map((line): Line => ({ line, folded: foldText(line.content) }));
  if (typeof evidence === "string") return findText(evidence, lines);
  const found = evidence
    .filter(({ quote }) => quote.trim() !== "")
    .map(({ role, quote }) => {
      const named = attributed(quote.trim());
      const found = findQuotation({ role, text: quote }, lines);
      return found ?? (named.role === role ? findQuotation(named, lines) : undefined);
    });
  return found.length > 0 && !found.includes(undefined) ? unique(found.flatMap((each) => each ?? [])) : undefined;
}

/** Formats quotations as readable text that {@link findEvidence} can parse. */
export function evidenceText(evidence: string | readonly Quotation[]): string {
  if (typeof evidence === "string") return evidence;
  return evidence
    .filter(({ quote }) => quote.trim() !== "")
    .map(({ role, quote }) => `${role === "assistant" ? "agent" : "caller"}: ${quote.replace(/\s+/g, " ").trim()}`)
    .join("\n");
}

function findText(evidence: string, lines: readonly Line[]): readonly Message[] | undefined {
  const whole = findQuotation(attributed(evidence.trim()), lines, { isWhole: true });
  return whole ?? findParts(evidence.split(/\r?\n/).flatMap(quotationsIn), lines);
}

function findQuotation(
  { role, text }: Part,
  lines: readonly Line[],
  { isWhole = false } = {},
): readonly Message[] | undefined {
  const folded = foldText(text);
  const exact = lineWith({ role, text: folded }, lines);
  if (exact) return [exact.line];
  return isWhole ? undefined : findParts([{ role, text }], lines);
}

function findParts(quotations: readonly Part[], lines: readonly Line[]): readonly Message[] | undefined {
  const parts = quotations
    .flatMap(({ role, text }) => text.split(/\.\.\.|\u2026/).map((part) => ({ role, text: bare(foldText(part)) })))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  if (parts.length === 0 || parts.length > MOST_PARTS) return undefined;
  const found: Message[] = [];
  for (const part of parts) {
    const holder = lineWith(part, lines);
    if (!holder) return undefined;
    found.push(holder.line);
  }
  return unique(found);
}

function lineWith({ role, text }: Part, lines: readonly Line[]): Line | undefined {
  if (text === "") return undefined;
  return lines.find(({ line, folded }) => line.role === role && containsText(folded, text));
}

/** The quotations of one line of evidence: the text in quotation marks, else the whole line. */
function quotationsIn(evidence: string): readonly Part[] {
  const { role, text } = attributed(evidence.trim());
  const quoted = [...text.matchAll(/["\u201c\u201d]([^"\u201c\u201d]+)["\u201c\u201d]/g)];
  return quoted.length > 0 ? quoted.map(([, inner = ""]) => ({ role, text: inner })) : [{ role, text }];
}

function attributed(text: string): Part {
  const [prefix = "", name = "agent"] = SPEAKER.exec(text) ?? [];
  return { role: /^a/i.test(name) ? "assistant" : "user", text: text.slice(prefix.length) };
}

/** Removes the marks around a text. A regular expression would take quadratic time on long rows of marks. */
function bare(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && MARKS_BEFORE.test(text.charAt(from))) from++;
  while (to > from && MARKS_AFTER.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

function unique(lines: readonly Message[]): readonly Message[] {
  return [...new Set(lines)];
}
