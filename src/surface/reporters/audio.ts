import { groupBy, oneLine, paint, type Style, wrap } from "../../base/values/mod.ts";
import type { AudioChange, AudioResult, HeardMessage } from "../../document/transcript/mod.ts";
import type { ResultRecord } from "../../run/store/mod.ts";

/** The words of a scenario that audio lost, over all its calls. */
export interface ScenarioHearing {
  readonly scenario: string;
  /** Mean word error rate of its calls. */
  readonly wordErrorRate: number;
  /** Numbers, names and e-mail addresses that were not heard, without duplicates. */
  readonly lost: readonly string[];
  /** Differences from the scenario in text, without duplicates. */
  readonly changes: readonly string[];
}

/** Summarizes what audio lost in the scenarios of a run; those without audio are left out. */
export function hearingsOf(results: readonly ResultRecord[]): readonly ScenarioHearing[] {
  const heard = results.filter(({ audio }) => audio !== undefined);
  return [...groupBy(heard, ({ scenario }) => scenario)].map(([scenario, calls]) => {
    const all = calls.flatMap(({ audio }) => audio ?? []);
    return {
      scenario,
      wordErrorRate: all.reduce((sum, { wordErrorRate }) => sum + wordErrorRate, 0) / all.length,
      lost: [...new Set(all.flatMap(({ messages }) => messages.flatMap(lostOf)))],
      changes: [...new Set(all.flatMap(({ changes = [] }) => changes.map(formatChange)))],
    };
  });
}

/** The lost items of a message: `number "30"`. */
export function lostOf({ lost }: HeardMessage): readonly string[] {
  return lost.map(({ kind, written }) => `${kind === "email" ? "e-mail address" : kind} "${written}"`);
}

/** Formats a difference from the same scenario in text: `path: greet -> bye in text, greet with audio`. */
export function formatChange({ kind, name, text, audio }: AudioChange): string {
  const what = kind === "criterion" ? `"${name ?? ""}"` : name === undefined ? kind : `${kind} "${name}"`;
  return `${what}: ${text ?? "nothing"} in text, ${audio ?? "nothing"} with audio`;
}

/** Formats a word error rate: `8 % word errors`. */
export function formatErrors(rate: number): string {
  return `${Math.round(rate * 100)} % word errors`;
}

/** Formats the audio of a run: a line per scenario with its word errors, lost items, and what audio changed. */
export function hearingLines(results: readonly ResultRecord[], style: Style): readonly string[] {
  const hearings = hearingsOf(results);
  if (hearings.length === 0) return [];
  const models = new Set(results.flatMap(({ audio }) => (audio?.usage ? [modelsOf(audio.usage)] : [])));
  return [
    paint(style, "dim", ["Heard", ...models].join("  ")),
    ...hearings.flatMap(({ scenario, wordErrorRate, lost, changes }) => [
      ...wrap(style, `${oneLine(scenario)}: ${[formatErrors(wordErrorRate), ...lossWords(lost)].join("; ")}`, 4, "  "),
      ...changes.flatMap((change) => wrap(style, oneLine(change), 6, "    ")),
    ]),
  ];
}

/** Formats the audio of one call: its word errors, each misheard message, verdicts, differences. */
export function callHearingLines(audio: AudioResult, style: Style): readonly string[] {
  const { messages, wordErrorRate, verdicts, changes = [] } = audio;
  return [
    ...wrap(style, `${formatErrors(wordErrorRate)}${audio.usage ? `, ${modelsOf(audio.usage)}` : ""}`, 2, "  "),
    ...messages
      .filter((message) => message.wordErrorRate > 0)
      .flatMap((message) => [
        ...wrap(style, `${message.role === "user" ? "caller" : "agent"} wrote: ${oneLine(message.written)}`, 6, "  · "),
        ...wrap(style, `heard: ${oneLine(message.heard) || "nothing"}`, 6, "    "),
        ...wrap(style, `words: ${diffWords(message)}`, 6, "    "),
        ...lossWords(lostOf(message)).flatMap((words) => wrap(style, words, 6, "    ")),
      ]),
    ...verdicts.flatMap(({ criterion, passed, score, reasoning }) =>
      wrap(style, `${passed ? "✓" : "✗"} ${criterion}: ${score.toFixed(2)} as heard; ${oneLine(reasoning)}`, 6, "  "),
    ),
    ...changes.flatMap((change) => wrap(style, oneLine(formatChange(change)), 6, "  · ")),
  ];
}

/** The word diff of a message: missing words in `[-…-]`, added ones in `{+…+}`. */
export function diffWords({ diff = [] }: HeardMessage): string {
  return diff
    .map(({ kind, words }) => (kind === "same" ? words : kind === "missing" ? `[-${words}-]` : `{+${words}+}`))
    .join(" ");
}

function lossWords(lost: readonly string[]): readonly string[] {
  return lost.length === 0 ? [] : [`lost: ${lost.join(", ")}`];
}

function modelsOf({ speechModel, transcriptionModel }: NonNullable<AudioResult["usage"]>): string {
  return `${speechModel}, ${transcriptionModel}`;
}
