import { isRecord } from "../../base/values/mod.ts";
import type { Message } from "../transcript/mod.ts";

/** When the caller begins to talk over the agent: so long, or so many words, after the first word of its reply. */
export type Interruption = { readonly after_ms: number } | { readonly after_words: number };

/**
 * What the caller does besides saying a line:
 *
 * - `interrupts`: the next line, or keys, or the hang-up begins while the agent speaks.
 * - `silence_ms`: the caller says nothing for so long.
 * - `dtmf`: the caller presses keys of the telephone, such as `"123#"`.
 * - `hold_music_ms`: the agent is put on hold and hears music for so long.
 * - `voicemail`: a voicemail answers with this greeting and a beep.
 * - `hangs_up`: the caller hangs up, with `mid_sentence` in the middle of the line before it.
 */
export type CallerStep =
  | { readonly interrupts: Interruption }
  | { readonly silence_ms: number }
  | { readonly dtmf: string }
  | { readonly hold_music_ms: number }
  | { readonly voicemail: string }
  | { readonly hangs_up: { readonly mid_sentence?: boolean | null } };

/** A line of the caller, word for word, or a step that is no line. */
export type CallerLine = string | CallerStep;

/** How the caller speaks: only calls by voice have it. */
export interface CallerSpeech {
  /** Voice, as the speech model names it. */
  readonly voice?: string | null;
  /** ISO 639-1 code of the language for the speech model. */
  readonly language?: string | null;
  /** Speed of speech: 1 is the model's own. */
  readonly rate?: number | null;
  /** Noise behind the caller, as a signal-to-noise ratio in decibels: 30 is a quiet room, 10 a busy street. */
  readonly noise_db?: number | null;
  /** Share of the packets of 20 ms that the caller's line loses, from 0 to 1. */
  readonly packet_loss?: number | null;
}

/** What the caller does in a turn. */
export type CallerAct =
  /** `cut`: the caller hangs up in the middle of the words. */
  | { readonly kind: "words"; readonly text: string; readonly cut?: true }
  | { readonly kind: "silence"; readonly ms: number }
  | { readonly kind: "keys"; readonly keys: string }
  | { readonly kind: "music"; readonly ms: number }
  | { readonly kind: "voicemail"; readonly text: string }
  | { readonly kind: "hang-up" };

/** A turn of a scripted caller. */
export interface CallerTurn {
  readonly act: CallerAct;
  /** Begins while the agent replies to the turn before. */
  readonly interrupts?: Interruption;
  /** The caller hangs up after the agent's reply to this turn. */
  readonly hangsUp?: true;
}

/** An interruption that is known before the agent replies, so that it begins in time. */
export interface PlannedInterruption {
  readonly after: Interruption;
  readonly act: CallerAct;
}

/** Keys of a step, one of which each step has. */
export const STEP_KEYS = ["interrupts", "silence_ms", "dtmf", "hold_music_ms", "voicemail", "hangs_up"] as const;

/** Keys that a telephone has. */
export const TELEPHONE_KEYS = /^[0-9*#A-D]+$/;

/** The turns of a scripted caller. Interruptions and hang-ups belong to the line beside them. */
export function callerTurns(lines: readonly CallerLine[]): readonly CallerTurn[] {
  const turns: CallerTurn[] = [];
  let interrupts: Interruption | undefined;
  const add = (act: CallerAct) => {
    turns.push({ act, ...(interrupts ? { interrupts } : {}) });
    interrupts = undefined;
  };
  for (const line of lines) {
    if (typeof line === "string") add({ kind: "words", text: line });
    else if ("interrupts" in line) interrupts = line.interrupts;
    else if ("silence_ms" in line) add({ kind: "silence", ms: line.silence_ms });
    else if ("dtmf" in line) add({ kind: "keys", keys: line.dtmf });
    else if ("hold_music_ms" in line) add({ kind: "music", ms: line.hold_music_ms });
    else if ("voicemail" in line) add({ kind: "voicemail", text: line.voicemail });
    else {
      const last = turns.at(-1);
      if (interrupts || !last) add({ kind: "hang-up" });
      else if (line.hangs_up.mid_sentence && last.act.kind === "words")
        turns.splice(-1, 1, { ...last, act: { ...last.act, cut: true } });
      else turns.splice(-1, 1, { ...last, hangsUp: true });
    }
  }
  return turns;
}

/** The lines of turns, as a scenario has them. The opposite of {@link callerTurns}. */
export function callerLinesOf(turns: readonly CallerTurn[]): readonly CallerLine[] {
  return turns.flatMap(({ act, interrupts, hangsUp }): readonly CallerLine[] => [
    ...(interrupts ? [{ interrupts }] : []),
    ...(act.kind === "hang-up" ? [] : [lineOf(act)]),
    ...(act.kind === "words" && act.cut ? [{ hangs_up: { mid_sentence: true } }] : []),
    ...(act.kind === "hang-up" || hangsUp ? [{ hangs_up: {} }] : []),
  ]);
}

function lineOf(act: Exclude<CallerAct, { readonly kind: "hang-up" }>): CallerLine {
  if (act.kind === "words") return act.text;
  if (act.kind === "silence") return { silence_ms: act.ms };
  if (act.kind === "keys") return { dtmf: act.keys };
  return act.kind === "music" ? { hold_music_ms: act.ms } : { voicemail: act.text };
}

/** Number of turns that an agent answers. It does not answer a caller who hangs up. */
export function answeredTurns(lines: readonly CallerLine[]): number {
  return callerTurns(lines).filter(({ act }) => act.kind !== "hang-up" && !(act.kind === "words" && act.cut)).length;
}

/** What the caller did, as a line of a transcript: `(silent for 3 s)`, `1 2 3 #`. */
export function actText(act: CallerAct): string {
  if (act.kind === "words") return act.cut ? firstHalf(act.text) : act.text;
  if (act.kind === "silence") return `(silent for ${seconds(act.ms)})`;
  if (act.kind === "keys") return [...act.keys].join(" ");
  if (act.kind === "music") return `(hold music for ${seconds(act.ms)})`;
  return act.kind === "voicemail" ? `${act.text} (beep)` : "(hangs up)";
}

/** What a step does, for reports: `interrupts after 600 ms`. */
export function stepText(step: CallerStep): string {
  if ("interrupts" in step) return `interrupts after ${afterText(step.interrupts)}`;
  if ("silence_ms" in step) return `is silent for ${seconds(step.silence_ms)}`;
  if ("dtmf" in step) return `presses ${step.dtmf}`;
  if ("hold_music_ms" in step) return `plays hold music for ${seconds(step.hold_music_ms)}`;
  if ("voicemail" in step) return "answers as a voicemail";
  return step.hangs_up.mid_sentence ? "hangs up in the middle of a sentence" : "hangs up";
}

/** A part of a scenario that is more than words. */
export interface SteppedPart {
  /** Place in the scenario. */
  readonly path: readonly (string | number)[];
  /** What the caller does, or how it speaks: `is silent for 3 s`. */
  readonly text: string;
  /** Absent for how the caller speaks. */
  readonly step?: CallerStep;
}

/** The parts of a caller that are more than words: its steps, and how it speaks. */
export function steppedParts({
  says,
  speaks,
}: {
  readonly says: readonly CallerLine[];
  readonly speaks?: CallerSpeech | null;
}): readonly SteppedPart[] {
  const keys = Object.entries(speaks ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return [
    ...says.flatMap((step, at) =>
      typeof step === "string" ? [] : [{ path: ["says", at], text: stepText(step), step }],
    ),
    ...keys.map(([key, value]) => ({ path: ["speaks", key], text: `speaks with ${key} ${value}` })),
  ];
}

/** The lines that callers can write who only write text: words, keys as digits, the greeting of a voicemail. */
export function writtenLines(lines: readonly CallerLine[]): readonly string[] {
  return callerTurns(lines).flatMap(({ act }) => (isWritten(act) ? [actText(act)] : []));
}

/** Whether an act can be written as text. */
export function isWritten({ kind }: CallerAct): boolean {
  return kind === "words" || kind === "keys" || kind === "voicemail";
}

/** `600 ms`, or `4 words`. */
export function afterText(after: Interruption): string {
  return "after_ms" in after ? `${after.after_ms} ms` : `${after.after_words} words`;
}

/** Words of which only the first half was said, with an ellipsis. */
function firstHalf(text: string): string {
  const words = text.trim().split(/\s+/);
  return `${words.slice(0, Math.ceil(words.length / 2)).join(" ")}…`;
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}

/** Time that a word takes where only words or only times are known, in milliseconds: 150 words a minute. */
export const MS_PER_WORD = 400;

/** The number of words after which an interruption begins. */
export function wordsBefore(after: Interruption): number {
  return "after_words" in after ? after.after_words : Math.max(1, Math.round(after.after_ms / MS_PER_WORD));
}

/** The time after which an interruption begins, in milliseconds. */
export function msBefore(after: Interruption): number {
  return "after_ms" in after ? after.after_ms : after.after_words * MS_PER_WORD;
}

/** The turns of a recorded caller, as a scenario can repeat them. */
export function recordedTurns(
  transcript: readonly Pick<Message, "role" | "content" | "metadata">[],
): readonly CallerTurn[] {
  return transcript.flatMap(({ role, content, metadata }): readonly CallerTurn[] => {
    const interrupts = readInterruption(role === "user" ? metadata.interrupts : metadata);
    const over = interrupts ? { interrupts } : {};
    if (role === "user") return [{ act: readAct(metadata.act) ?? { kind: "words", text: content }, ...over }];
    const hangsUp = role === "system" && metadata.kind === "interruption" && metadata.hangs_up === true;
    return hangsUp && interrupts ? [{ act: { kind: "hang-up" }, ...over }] : [];
  });
}

/** Reads an act from the metadata of a stored message; `undefined` if there is none. */
export function readAct(value: unknown): CallerAct | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, text, ms, keys, cut } = value;
  if (kind === "words" && typeof text === "string") return { kind, text, ...(cut === true ? { cut } : {}) };
  if (kind === "voicemail" && typeof text === "string") return { kind, text };
  if ((kind === "silence" || kind === "music") && typeof ms === "number") return { kind, ms };
  if (kind === "keys" && typeof keys === "string") return { kind, keys };
  return kind === "hang-up" ? { kind } : undefined;
}

/** Reads an interruption from the metadata of a stored message; `undefined` if there is none. */
export function readInterruption(value: unknown): Interruption | undefined {
  if (!isRecord(value)) return undefined;
  if (typeof value.after_ms === "number") return { after_ms: value.after_ms };
  return typeof value.after_words === "number" ? { after_words: value.after_words } : undefined;
}
