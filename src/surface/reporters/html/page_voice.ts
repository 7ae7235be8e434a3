import type { ConnectedCallFacts, HeardWords, Message, VoiceRecord } from "../../../document/transcript/mod.ts";
import type { PageCall, PageMark, PageRecording } from "../../web/mod.ts";
import { formatWait } from "../latency.ts";

/** The recording of a call, and what was measured of its voice. */
export function voiceOf(
  { recordingUrl, voice }: ConnectedCallFacts,
  transcript: readonly Message[],
): Pick<PageCall, "recording" | "figures"> {
  const recording = recordingUrl === undefined ? undefined : recordingOf(recordingUrl, voice, transcript);
  const figures = voice ? figuresOf(voice) : [];
  return { ...(recording ? { recording } : {}), ...(figures.length > 0 ? { figures } : {}) };
}

function recordingOf(
  url: string,
  voice: VoiceRecord | undefined,
  transcript: readonly Message[],
): PageRecording | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol } = new URL(url);
  if (protocol !== "file:" && protocol !== "https:" && protocol !== "http:") return undefined;
  const marks = (voice?.turns ?? []).map(({ speaker, turn, fromMs: ms }): PageMark => {
    const line = lineOf(transcript, speaker, turn);
    return { speaker, turn, ms, ...(line === undefined ? {} : { line }) };
  });
  return { url, isLocal: protocol === "file:", marks };
}

/** The first line of a turn: the caller's, or the agent's behind it. */
function lineOf(transcript: readonly Message[], speaker: PageMark["speaker"], turn: number): number | undefined {
  let at = 0;
  for (const [index, { role }] of transcript.entries()) {
    if (role === "user") at += 1;
    if (at === turn && role === (speaker === "caller" ? "user" : "assistant")) return index;
  }
  return undefined;
}

function figuresOf({ interruptions, overlaps, pauses, words }: VoiceRecord): NonNullable<PageCall["figures"]> {
  return [
    ...interruptions.map(
      ({ turn, afterMs, stoppedMs }) =>
        [
          turnName(turn),
          `the caller interrupts ${formatWait(afterMs)} after the agent's first word`,
          stoppedMs === null ? "the agent talked on" : `the agent stopped after ${formatWait(stoppedMs)}`,
        ] as const,
    ),
    ...overlaps.map(({ turn, ms }) => [turnName(turn), "the agent talked over the caller", formatWait(ms)] as const),
    ...pauses.map(({ turn, ms }) => [turnName(turn), "the longest silence of the agent", formatWait(ms)] as const),
    ...words.filter(({ said, heard }) => said !== heard).map(wordsFigure),
  ];
}

function wordsFigure({ by, turn, said, heard }: HeardWords) {
  const who = by === "caller" ? "the caller said" : "we heard the agent say";
  return [turnName(turn), `${who} ${JSON.stringify(said)}`, `its platform heard ${JSON.stringify(heard)}`] as const;
}

function turnName(turn: number): string {
  return turn === 0 ? "opening" : `turn ${turn}`;
}
