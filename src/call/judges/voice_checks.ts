import { type Scenario, VOICE_EXPECTATIONS, voiceExpectation } from "../../document/scenario/mod.ts";
import type { CheckResult, Message, NotChecked, TurnLatency, VoiceRecord } from "../../document/transcript/mod.ts";
import { compareWords } from "../audio/mod.ts";
import { turnsWithTools } from "./checks.ts";
import { clippedQuote, messagePlace, spokenLines } from "./evidence.ts";
import { FEWEST_REPEATED_WORDS, repeatableSentences } from "./reply_measures.ts";

/** A call with what only voice shows of it, if it was one by voice. */
export interface VoicedCall {
  readonly transcript: readonly Message[];
  readonly latency?: readonly TurnLatency[] | undefined;
  readonly voice?: VoiceRecord | undefined;
}

/** Results of the expectations about voice, and those that the call does not show. */
export interface VoiceChecks {
  readonly checks: readonly CheckResult[];
  readonly notChecked: readonly NotChecked[];
}

/** What a call shows of an expectation: whether it holds, or why it cannot be told. */
type Shown = Pick<CheckResult, "passed" | "reason"> | { readonly unknown: string };

const IN_TEXT: Shown = { unknown: "the call is in text, and nobody hears it" };

/** Checks the expectations about what is heard. An expectation that a call does not show is never passed. */
export function checkVoice(scenario: Scenario, call: VoicedCall): VoiceChecks {
  const results = VOICE_EXPECTATIONS.flatMap(({ key, kind }) => {
    const limit = scenario[key];
    if (limit === undefined || limit === null) return [];
    const expected = voiceExpectation(key, limit);
    return [{ kind, expected, shown: SHOWN[key](Number(limit), call) }];
  });
  return {
    checks: results.flatMap(({ kind, expected, shown }) =>
      "unknown" in shown ? [] : [{ kind, expected, passed: shown.passed, reason: shown.reason }],
    ),
    notChecked: results.flatMap(({ kind, expected, shown }) =>
      "unknown" in shown ? [{ kind, expected, reason: shown.unknown }] : [],
    ),
  };
}

const SHOWN: {
  readonly [Key in (typeof VOICE_EXPECTATIONS)[number]["key"]]: (limit: number, call: VoicedCall) => Shown;
} = {
  answers_after_tools_within_ms: answersAfterTools,
  stops_within_ms: stops,
  talks_over_at_most_ms: (limit, { voice }) => {
    if (!voice) return IN_TEXT;
    const { turn, ms } = longest(voice.overlaps);
    return within(
      ms <= limit,
      `it talked over the caller for ${wait(ms)}`,
      turn,
      "it never talked over the caller",
      ms,
    );
  },
  dead_air_at_most_ms: (limit, { voice }) => {
    if (!voice) return IN_TEXT;
    if (voice.pauses.length === 0) return { unknown: "the agent said nothing" };
    const { turn, ms } = longest(voice.pauses);
    return within(ms <= limit, `the longest silence was ${wait(ms)}`, turn, "nobody was silent", ms);
  },
  says_nothing_twice: (_, { transcript }) => repeats(transcript),
  word_errors_at_most: wordErrors,
};

function within(passed: boolean, found: string, turn: number, none: string, ms: number): Shown {
  return { passed, reason: ms === 0 ? none : `${found}, in ${turnName(turn)}` };
}

function longest(list: VoiceRecord["pauses"]): { readonly turn: number; readonly ms: number } {
  return list.reduce((most, each) => (each.ms > most.ms ? each : most), { turn: 0, ms: 0 });
}

function stops(limit: number, { voice }: VoicedCall): Shown {
  if (!voice) return IN_TEXT;
  const { interruptions } = voice;
  if (interruptions.length === 0) return { unknown: "the caller did not interrupt the agent" };
  const late = interruptions.filter(({ stoppedMs }) => stoppedMs === null || stoppedMs > limit);
  const told = (late.length > 0 ? late : interruptions).map(({ turn, stoppedMs }) =>
    stoppedMs === null
      ? `it talked on when the caller interrupted in ${turnName(turn)}`
      : `it stopped ${wait(stoppedMs)} after the caller's first word, in ${turnName(turn)}`,
  );
  return { passed: late.length === 0, reason: told.join("; ") };
}

function answersAfterTools(limit: number, { transcript, latency = [] }: VoicedCall): Shown {
  const withTools = turnsWithTools(transcript);
  const measured = latency.flatMap(({ turn, firstWordMs }) =>
    withTools.has(turn) && firstWordMs !== null ? [{ turn, ms: firstWordMs }] : [],
  );
  if (withTools.size === 0) return { unknown: "the agent called no tool before it spoke" };
  if (measured.length === 0) return { unknown: "no turn with tools was measured" };
  const { turn, ms } = longest(measured);
  const reason = `the slowest of ${measured.length} with tools was ${turnName(turn)}, after ${wait(ms)}`;
  return { passed: ms <= limit, reason };
}

function repeats(transcript: readonly Message[]): Shown {
  const spoken = spokenLines(transcript);
  if (spoken.length === 0) return { unknown: "the agent said nothing" };
  const said = new Map<string, Message>();
  for (const line of spoken)
    for (const { sentence, words } of repeatableSentences(line.content)) {
      const before = said.get(words);
      if (before) {
        const places = `${messagePlace(transcript, before)} and ${messagePlace(transcript, line)}`;
        return { passed: false, reason: `${clippedQuote(sentence)} is said in ${places}` };
      }
      said.set(words, line);
    }
  return { passed: true, reason: `no sentence of ${FEWEST_REPEATED_WORDS} words or more is said twice` };
}

function wordErrors(limit: number, { voice }: VoicedCall): Shown {
  if (!voice) return IN_TEXT;
  const rates = (["caller", "agent"] as const).flatMap((by) => {
    const counted = voice.words
      .filter((each) => each.by === by)
      .map(({ said, heard }) => compareWords(said, heard))
      .reduce((sum, { words, errors }) => ({ words: sum.words + words, errors: sum.errors + errors }), {
        words: 0,
        errors: 0,
      });
    return counted.words === 0 ? [] : [{ by, rate: counted.errors / counted.words, ...counted }];
  });
  if (rates.length === 0) return { unknown: "the agent's platform wrote down no words" };
  const reason = rates
    .map(({ by, rate, words }) => `${percent(rate)} of ${words} words of the ${by} differ in its platform's transcript`)
    .join("; ");
  return { passed: rates.every(({ rate }) => rate <= limit), reason };
}

function percent(rate: number): string {
  return `${Math.round(rate * 1000) / 10} %`;
}

function wait(ms: number): string {
  return `${Math.round(ms)} ms`;
}

function turnName(turn: number): string {
  return turn === 0 ? "the opening" : `turn ${turn}`;
}
