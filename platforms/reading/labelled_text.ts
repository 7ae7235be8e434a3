import type { CallDraft } from "./call_draft.ts";

const AGENT =
  /^(?:voice |phone |call |virtual |support |customer service )?(?:agent|assistant|ai|bot|representative|rep|operator|support|advisor|receptionist|ivr)(?: \d+)?$/i;
const CALLER = /^(?:user|caller|customer|client|human|patient|guest|callee|member|speaker \d+)(?: \d+)?$/i;
const SYSTEM = /^(?:system|note|tool)$/i;

/** The content of a transcript in plain text. */
export interface TextCall {
  /** Start of the call, where lines have dates. */
  readonly startMs: number | undefined;
  /** Lines before the first speaker. */
  readonly heading: readonly string[];
  readonly lines: readonly (LabelledLine & { readonly role: "user" | "assistant" | "system" })[];
}

/**
 * Reads a transcript with labels such as "Agent:" and "User:". A line without a label continues the line before it.
 * If the speakers of one side have names instead, the most frequent name is that side.
 *
 * @returns `undefined` when no line has a known speaker.
 */
export function readLabelledText(text: string): TextCall | undefined {
  const read = text.split(/\r\n|\r|\n/).map((line) => readLine(line));
  const roles = rolesOf(read.flatMap((line) => (line.label === undefined ? [] : [line.label])));
  if (!roles) return undefined;
  const heading: string[] = [];
  const lines: {
    role: "user" | "assistant" | "system";
    label?: string;
    text: string;
    offsetMs?: number;
    timeMs?: number;
  }[] = [];
  for (const line of read) {
    const role = line.label === undefined ? undefined : roles.get(line.label.toLowerCase());
    const last = lines.at(-1);
    if (role !== undefined) lines.push({ ...line, role });
    else if (last) last.text = `${last.text}\n${line.whole}`.trimEnd();
    else if (line.whole.trim() !== "") heading.push(line.whole.trim());
  }
  const [first] = lines;
  return { startMs: first?.timeMs, heading, lines: lines.map((line) => ({ ...line, whole: line.text })) };
}

/** Adds a transcript in plain text to a draft; nothing if it has no speakers. */
export function sayLabelledText(text: string, draft: CallDraft): void {
  const call = readLabelledText(text);
  for (const { role, text: content } of call?.lines ?? []) draft.say(role, content);
}

function rolesOf(labels: readonly string[]): ReadonlyMap<string, "user" | "assistant" | "system"> | undefined {
  const roles = new Map<string, "user" | "assistant" | "system">();
  const counts = new Map<string, number>();
  for (const label of labels.map((each) => each.toLowerCase())) {
    counts.set(label, (counts.get(label) ?? 0) + 1);
    if (AGENT.test(label)) roles.set(label, "assistant");
    else if (CALLER.test(label)) roles.set(label, "user");
    else if (SYSTEM.test(label)) roles.set(label, "system");
  }
  const known = new Set(roles.values());
  if (!known.has("assistant") && !known.has("user")) return undefined;
  const [named] = [...counts].filter(([label]) => !roles.has(label)).sort(([, a], [, b]) => b - a);
  if (named && !known.has("assistant")) roles.set(named[0], "assistant");
  else if (named && !known.has("user")) roles.set(named[0], "user");
  return roles;
}

/** A line of a transcript in plain text. */
export interface LabelledLine {
  /** The raw line. */
  readonly whole: string;
  /** Before the colon; absent for a line without a label. */
  readonly label?: string;
  /** After the colon, or the whole line. */
  readonly text: string;
  /** From a time such as `01:12`, in milliseconds. */
  readonly offsetMs?: number;
  /** From a date and time, in milliseconds since 1970. */
  readonly timeMs?: number;
}

const CLOCK = String.raw`(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?`;
const DATE = String.raw`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?`;
const TIME = String.raw`[[(<]?\s*(?<DATE>${DATE}|${CLOCK})(?:\s*-->?\s*${CLOCK})?\s*[\])>]?`;
const LABEL = String.raw`(?<LABEL>\p{L}[\p{L}\p{N} .'_-]{0,39})`;
const LABELLED = new RegExp(
  String.raw`^\s*(?:${TIME.replace("DATE", "before")}\s*[-–—|]?\s*)?\*{0,2}${LABEL.replace("LABEL", "label")}\s*(?:${TIME.replace("DATE", "after")})?\s*\*{0,2}:\*{0,2}(?:\s+(?<text>.*)|$)`,
  "u",
);

const [SECOND, MINUTE] = [1_000, 60];

/** Reads a line such as `[00:12] Agent: Hello` or `Maria (10:02:11): Hello`. */
function readLine(line: string): LabelledLine {
  const { label, before, after, text = "" } = LABELLED.exec(line)?.groups ?? {};
  if (label === undefined) return { whole: line, text: line };
  return { whole: line, label: label.trim(), text: text.trim(), ...timeOf(before ?? after) };
}

function timeOf(time: string | undefined): { readonly offsetMs?: number; readonly timeMs?: number } {
  if (time === undefined) return {};
  if (time.includes("-")) {
    const zone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(time.slice(10)) ? "" : "Z"; // a time without a zone is read as UTC on every machine
    const timeMs = Date.parse(`${time.replace(" ", "T")}${zone}`);
    return Number.isFinite(timeMs) ? { timeMs } : {};
  }
  const seconds = time
    .replace(",", ".")
    .split(":")
    .reduce((sum, part) => sum * MINUTE + Number(part), 0);
  return { offsetMs: seconds * SECOND };
}
