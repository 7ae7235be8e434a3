import { readAct } from "../../document/scenario/mod.ts";
import type { AudioResult, AudioUsage, HeardMessage, Message } from "../../document/transcript/mod.ts";
import type { Caller } from "../callers/mod.ts";
import type { CallClock, HistoryLine } from "../models/mod.ts";
import type { Heard, Hearing, HearOptions } from "./hearing.ts";
import { compareWords, lostItems, wordErrorRate } from "./words/mod.ts";

/** The parts of a simulated call that go through speech and transcription. */
export interface CallAudio {
  /** Wraps the caller, so that the agent gets what was heard, and the caller keeps its own words. */
  readonly onLine: (caller: Caller, clock: CallClock) => Caller;
  /** Restores the caller's own words in the transcript; `metadata.heard` has what the agent got. */
  readonly withOwnWords: (transcript: readonly Message[]) => readonly Message[];
  /** Sends the agent's messages through audio and lists the words that were lost. */
  readonly listen: (transcript: readonly Message[]) => Promise<HeardCall>;
}

/** A call after audio. */
export interface HeardCall {
  /** The transcript; messages that went through audio have `metadata.heard`. */
  readonly transcript: readonly Message[];
  readonly audio: Omit<AudioResult, "verdicts">;
}

/** The slot of a call, and the time limits of its requests. */
export interface CallAudioOptions extends Omit<HearOptions, "role" | "place"> {
  /** Scenario, trial and attempt. */
  readonly place: readonly (string | number)[];
  /** Names that occur in the call, such as values of variables. */
  readonly known: readonly string[];
}

export function createCallAudio(hearing: Hearing, { place, known, ...requests }: CallAudioOptions): CallAudio {
  const said: { readonly written: string; readonly heard: string }[] = [];
  const usage = { requests: 0, characters: 0, seconds: 0 };
  const hear = async (text: string, role: HearOptions["role"], number: number): Promise<string> => {
    const heard = await hearing.hear(text, { ...requests, role, place: [...place, padded(number), role] });
    count(usage, heard);
    return heard.text;
  };

  const onLine = (caller: Caller, clock: CallClock): Caller => ({
    next: async (history, options) => {
      const move = await caller.next(ownHistory(history, said), options);
      if (move.say === undefined) return move;
      if (move.act && move.act.kind !== "words") {
        said.push({ written: move.say, heard: move.say }); // nothing is spoken: no model hears it
        return move;
      }
      const resumeClock = clock.pause(); // speech and transcription are the test's, not the agent's
      try {
        const heard = await hear(move.say, "user", said.length + 1);
        said.push({ written: move.say, heard });
        return { ...move, say: heard };
      } finally {
        resumeClock();
      }
    },
    ...(caller.ahead ? { ahead: caller.ahead } : {}),
  });

  const listen = async (transcript: readonly Message[]): Promise<HeardCall> => {
    const spoken = transcript.flatMap((message, index) =>
      message.role === "assistant" && message.content.trim() !== "" ? [{ message, index }] : [],
    );
    const heard = new Map(
      await Promise.all(
        spoken.map(
          async ({ message, index }, at) => [index, await hear(message.content, "assistant", at + 1)] as const,
        ),
      ),
    );
    const all = transcript.map((message, index): Message => {
      const text = heard.get(index);
      return text === undefined ? message : { ...message, metadata: { ...message.metadata, heard: text } };
    });
    const messages = all.flatMap((message, index) => heardMessage(message, index, known));
    const total = messages.reduce(
      (sum, { errors, words }) => ({ errors: sum.errors + errors, words: sum.words + words }),
      { errors: 0, words: 0 },
    );
    return {
      transcript: all,
      audio: {
        direction: hearing.options.direction ?? "agent",
        messages: messages.map(({ message }) => message),
        wordErrorRate: wordErrorRate(total),
        usage: { speechModel: hearing.speechModel, transcriptionModel: hearing.transcriptionModel, ...usage },
      },
    };
  };

  return { onLine, withOwnWords: (transcript) => ownWords(transcript, said), listen };
}

/** The transcript as it was heard, for judging by ear. The caller's own words stay, because the caller knows them. */
export function heardTranscript(transcript: readonly Message[]): readonly Message[] {
  return transcript.map((message) => {
    const { heard } = message.metadata;
    return message.role === "assistant" && typeof heard === "string" ? { ...message, content: heard } : message;
  });
}

type Said = readonly { readonly written: string; readonly heard: string }[];

/** Restores the caller's own words in place of what the agent heard. */
function ownHistory(history: readonly HistoryLine[], said: Said): readonly HistoryLine[] {
  let at = 0;
  return history.map((line) => {
    if (line.role !== "user") return line;
    const own = said[at];
    at += 1;
    return own ? { ...line, content: own.written } : line;
  });
}

function ownWords(transcript: readonly Message[], said: Said): readonly Message[] {
  let at = 0;
  return transcript.map((message) => {
    const own = said[at];
    if (message.role !== "user" || !own || own.heard !== message.content) return message;
    at += 1;
    if (isWordless(message)) return message;
    return { ...message, content: own.written, metadata: { ...message.metadata, heard: own.heard } };
  });
}

/** Whether a message of the caller stands for something else than words, such as silence. */
function isWordless({ metadata: { act } }: Message): boolean {
  const { kind } = readAct(act) ?? { kind: "words" };
  return kind !== "words";
}

function heardMessage(
  { role, content, metadata: { heard } }: Message,
  index: number,
  known: readonly string[],
): readonly { readonly message: HeardMessage; readonly errors: number; readonly words: number }[] {
  if ((role !== "assistant" && role !== "user") || typeof heard !== "string") return [];
  const { words, errors, changes } = compareWords(content, heard);
  const message = {
    message: index,
    role,
    written: content,
    heard,
    wordErrorRate: wordErrorRate({ words, errors }),
    lost: lostItems(content, heard, known),
    diff: changes,
  };
  return [{ message, errors, words }];
}

type Counted = { -readonly [Key in Exclude<keyof AudioUsage, "speechModel" | "transcriptionModel">]: AudioUsage[Key] };

function count(usage: Counted, { requests, characters, seconds }: Heard): void {
  usage.requests += requests;
  usage.characters += characters;
  usage.seconds += seconds;
}

/** Zero-padded, so that numbers sort as texts. */
function padded(number: number): string {
  return String(number).padStart(2, "0");
}
