import type { CallerTrait } from "../../../document/scenario/mod.ts";
import type { Message } from "../../../document/transcript/mod.ts";
import { refusalsBefore, refuses, similarity, wordSet } from "../../models/mod.ts";
import type { AuditedCall } from "../audit.ts";
import { wordsOf } from "../reply_measures.ts";
import { asksAgain, hesitations, isCourteous, LEXICON_LANGUAGES } from "./lexicon.ts";
import { createLanguageTest } from "./spoken_language.ts";

/**
 * What the lines of a caller say of a trait. `no-occasion`: the call gave none. `unknown`: rules cannot tell, so that a
 * model is asked.
 */
export type TraitFinding =
  | { readonly kind: "shown" | "no-occasion" | "unknown" }
  | { readonly kind: "missing"; readonly reason: string };

const SHOWN: TraitFinding = { kind: "shown" };
const NO_OCCASION: TraitFinding = { kind: "no-occasion" };
const UNKNOWN: TraitFinding = { kind: "unknown" };

/** Words of a line from which on its manner shows. */
const LEAST_WORDS = 4;
/** Share of the lines that have to show a manner. */
const LEAST_SHARE = 0.5;
/** Lines of the caller from which on it has had an occasion to ask again. */
const LEAST_LINES = 3;
/** Words of a fragment, on average. */
const FRAGMENT_WORDS = 4;
const MOST_COURTEOUS = 0.25;

/** Audits a trait by rules. */
export function auditByRule({ effect: { audit }, value }: CallerTrait, call: AuditedCall): TraitFinding {
  const lines = ownLines(call);
  const language = call.traits?.language;
  const isKnown = typeof language !== "string" || LEXICON_LANGUAGES.has(new Intl.Locale(language).language);
  switch (audit.rule) {
    case "judge":
      return UNKNOWN;
    case "hangs-up":
      return isKnown ? afterRefusals(audit.refusals, call) : UNKNOWN;
    case "stays":
      return isKnown ? staysOn(audit.refusals, call) : UNKNOWN;
    case "brief":
      return brief(audit.words, lines);
    case "long":
      return long(audit.words, lines);
    case "pauses":
      return inMostLines(lines, (line) => line.includes("…") || /\.\.\.|—/.test(line), "a pause");
    case "fillers":
      return isKnown ? inMostLines(lines, (line) => hesitations(line) > 0, "a hesitation") : UNKNOWN;
    case "fragments":
      return inMostLines(lines, isFragmentary, "fragments in place of a sentence");
    case "asks-again":
      return isKnown ? again(audit, lines) : UNKNOWN;
    case "interrupts":
      return interrupted(call);
    case "language":
      return inLanguage(value, lines);
  }
}

/** The lines that the caller's model said: all but those that were given to it word for word. */
export function ownLines({ transcript, given }: Pick<AuditedCall, "transcript" | "given">): readonly string[] {
  const scripted = new Set(given.map((line) => line.trim()));
  return transcript
    .filter(({ role, content, metadata }) => role === "user" && !scripted.has(content.trim()) && !metadata.interrupts)
    .map(({ content }) => content)
    .filter((line) => line.trim() !== "");
}

function wordCount(line: string): number {
  return wordsOf(line).length;
}

function inMostLines(lines: readonly string[], has: (line: string) => boolean, what: string): TraitFinding {
  const telling = lines.filter((line) => wordCount(line) >= LEAST_WORDS);
  if (telling.length === 0) return NO_OCCASION;
  const count = telling.filter(has).length;
  if (count >= LEAST_SHARE * telling.length) return SHOWN;
  return { kind: "missing", reason: `${count} of its ${telling.length} longer lines have ${what}` };
}

function isFragmentary(line: string): boolean {
  const parts = line.split(/…|\.{2,}|—|–|[.!?;]/).map(wordCount);
  const spoken = parts.filter((count) => count > 0);
  const mean = spoken.reduce((sum, count) => sum + count, 0) / Math.max(1, spoken.length);
  return spoken.length > 1 && mean <= FRAGMENT_WORDS;
}

function brief(most: number, lines: readonly string[]): TraitFinding {
  if (lines.length === 0) return NO_OCCASION;
  const middle = median(lines.map(wordCount));
  if (middle > most) return { kind: "missing", reason: `half of its lines have ${middle} words or more` };
  const courteous = lines.filter(isCourteous).length;
  if (courteous <= MOST_COURTEOUS * lines.length) return SHOWN;
  return { kind: "missing", reason: `${courteous} of its ${lines.length} lines have a greeting, a please or thanks` };
}

function long(least: number, lines: readonly string[]): TraitFinding {
  const counts = lines.map(wordCount).filter((count) => count >= LEAST_WORDS);
  if (counts.length === 0) return NO_OCCASION;
  const mean = Math.round(counts.reduce((sum, count) => sum + count, 0) / counts.length);
  return mean >= least ? SHOWN : { kind: "missing", reason: `its longer lines have ${mean} words on average` };
}

function again(
  { lines: every, orTwice = false }: { readonly lines: number; readonly orTwice?: boolean },
  lines: readonly string[],
): TraitFinding {
  const count = lines.filter(
    (line, at) => asksAgain(line) || (orTwice && isAskedTwice(line, lines.slice(0, at))),
  ).length;
  if (count >= Math.max(1, Math.floor(lines.length / every))) return SHOWN;
  if (lines.length < LEAST_LINES) return NO_OCCASION;
  return { kind: "missing", reason: `${count} of its ${lines.length} lines ask again` };
}

/** Whether a question was asked before, in nearly the same words. */
function isAskedTwice(line: string, before: readonly string[]): boolean {
  if (!line.includes("?")) return false;
  const words = wordSet(line);
  return before.some((each) => each.includes("?") && similarity(words, wordSet(each)) >= 0.7);
}

function inLanguage(tag: string, lines: readonly string[]): TraitFinding {
  const test = createLanguageTest(tag);
  const rulings = lines.map(test).filter((ruling) => ruling !== undefined);
  if (rulings.length === 0) return lines.some((line) => wordCount(line) >= LEAST_WORDS) ? UNKNOWN : NO_OCCASION;
  const right = rulings.filter(Boolean).length;
  if (right > LEAST_SHARE * rulings.length) return SHOWN;
  return { kind: "missing", reason: `${right} of its ${rulings.length} longer lines are in this language` };
}

function interrupted({ transcript }: AuditedCall): TraitFinding {
  if (transcript.some(({ metadata }) => metadata.interrupts || metadata.kind === "interruption")) return SHOWN;
  const replies = transcript.filter(({ role }) => role === "assistant").length;
  return replies < LEAST_LINES
    ? NO_OCCASION
    : { kind: "missing", reason: "it let the agent speak to the end each time" };
}

function afterRefusals(most: number, { transcript, endReason }: AuditedCall): TraitFinding {
  const counts = refusalsBefore(transcript);
  const total = counts.at(-1) ?? 0;
  if (total < most) return NO_OCCASION;
  const later = counts.slice(0, -1).filter((count) => count >= most).length;
  if (later <= 1) return endReason === "caller_ended" ? SHOWN : NO_OCCASION;
  return {
    kind: "missing",
    reason: `it said ${later} more lines after ${most === 1 ? "the first refusal" : `${most} refusals`}`,
  };
}

function staysOn(least: number, { transcript, endReason }: AuditedCall): TraitFinding {
  const counts = refusalsBefore(transcript);
  const total = counts.at(-1) ?? 0;
  if (total === 0) return NO_OCCASION;
  const lastSaid = counts.at(-2) ?? 0;
  const hungUp = endReason === "caller_ended" && total < least && (total > lastSaid || isFarewell(transcript));
  if (hungUp)
    return { kind: "missing", reason: `it hung up after ${total === 1 ? "the first refusal" : `${total} refusals`}` };
  return SHOWN;
}

/** Whether the caller's last line answers a refusal. */
function isFarewell(transcript: readonly Message[]): boolean {
  const last = transcript.findLastIndex(({ role }) => role === "user");
  const heard = transcript.slice(0, last).findLast(({ role }) => role === "assistant");
  return heard !== undefined && refuses(heard.content);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
