import type { Message } from "../../document/transcript/mod.ts";
import type { Quotation } from "../models/mod.ts";

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

/** Maximum length of a quotation in a reason, in characters. */
const LONGEST = 120;

/** A message with its place: `turn 2, node "billing": "Your bill is …"`. */
export function quoteLine(transcript: readonly Message[], line: Message): string {
  return `${messagePlace(transcript, line)}: ${clippedQuote(line.content)}`;
}

/** The place of a message. Turns are counted by the caller's messages; before the first one it is the opening. */
export function messagePlace(transcript: readonly Message[], line: Message): string {
  const upTo = transcript.slice(0, transcript.indexOf(line) + 1);
  const turn = upTo.filter(({ role }) => role === "user").length;
  return `${turn === 0 ? "opening" : `turn ${turn}`}, node "${line.node_id}"`;
}

/** A text in quotes on one line, clipped. */
export function clippedQuote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  return `"${characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : line}"`;
}

/** The messages of the agent. */
export function spokenLines(transcript: readonly Message[]): readonly Message[] {
  return transcript.filter(({ role }) => role === "assistant");
}

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

/** Invisible characters, which have no sound. */
const UNHEARD = /[\u00ad\u200b\u2060\ufeff]/g;

/**
 * Normalizes a text for comparison: case, white space, quotes, dashes and ellipses, which models write differently.
 * Upper-casing first makes "ß" equal to "SS"; "ς" becomes "σ".
 */
export function foldText(text: string): string {
  return text
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(UNHEARD, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\u2018-\u201b\u02bc\u00b4\u2032\u0060]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll("\u2026", "...");
}

/** Needles shorter than this use the built-in search. */
const SHORT = 32;

/**
 * Whether a text contains another, in linear time. `String.includes` may compare a long needle again at every index,
 * and judges quote long passages.
 *
 * @see https://en.wikipedia.org/wiki/Knuth-Morris-Pratt_algorithm
 */
export function containsText(text: string, needle: string): boolean {
  if (needle.length < SHORT) return text.includes(needle);
  const fallback = fallbacksOf(needle);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text[at] !== needle[matched]) matched = fallback[matched - 1] ?? 0;
    if (text[at] === needle[matched]) matched += 1;
    if (matched === needle.length) return true;
  }
  return false;
}

/** The failure function: for each prefix of the needle the length of its longest proper border. */
function fallbacksOf(needle: string): Uint32Array {
  const fallback = new Uint32Array(needle.length);
  let matched = 0;
  for (let at = 1; at < needle.length; at++) {
    while (matched > 0 && needle[at] !== needle[matched]) matched = fallback[matched - 1] ?? 0;
    if (needle[at] === needle[matched]) matched += 1;
    fallback[at] = matched;
  }
  return fallback;
}
