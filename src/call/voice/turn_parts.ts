import type { AgentSound } from "./agent_sound.ts";
import type { Span } from "./level.ts";
import type { WireEvent } from "./voice_wire.ts";

/** A part of the agent's turn, in order: what was heard, or something that it did. */
export type TurnPart =
  | {
      readonly kind: "heard";
      readonly sound: Int16Array;
      /** The words as the platform has them; `undefined` if it says nothing of them. */
      readonly reported: string | undefined;
    }
  | Extract<WireEvent, { readonly kind: "did" }>;

/** Silence around what is transcribed, in milliseconds: models mishear words that begin or end at once. */
const AROUND_MS = 300;
/** A shorter silence may be within a word, where the sound is not divided, in milliseconds. */
const BETWEEN_MS = 200;

interface Note {
  /** Where the sound that arrived before it ends. */
  readonly place: number;
  readonly event: Extract<WireEvent, { readonly kind: "did" | "words" }>;
}

/** What the platform says of the agent's turn besides its sound. */
export class TurnNotes {
  readonly #rate: number;
  #notes: Note[] = [];

  constructor(rate: number) {
    this.#rate = rate;
  }

  add(event: Note["event"], place: number): void {
    const last = this.#notes.findLastIndex(({ event: { kind } }) => kind === "words");
    const before = this.#notes[last];
    if (event.kind === "words" && event.corrects && before) this.#notes[last] = { ...before, event };
    else this.#notes.push({ place, event });
  }

  /**
   * Takes the parts of the turn after a place. The sound is divided where the agent did something, but not within a
   * word. Words that were reported before their sound are kept for it.
   *
   * @param before What comes later stays.
   */
  take(sound: AgentSound, after: number, before = Number.POSITIVE_INFINITY): readonly TurnPart[] {
    const notes = this.#notes.filter(({ place }) => place <= before);
    const later = this.#notes.filter(({ place }) => place > before);
    const { first, until } = sound.voiceAfter(after, before);
    this.#notes = [...(first === undefined ? notes.filter(({ event }) => event.kind === "words") : []), ...later];
    const parts: TurnPart[] = [];
    const voice = sound.groupsAfter(after, this.#samplesOf(BETWEEN_MS));
    let [from, reported] = [after, ""];
    const hear = (to: number) => {
      const heard = first === undefined ? undefined : sound.voiceAfter(from, to);
      if (heard?.first === undefined) return;
      const around = this.#samplesOf(AROUND_MS);
      const span = { from: Math.max(from, heard.first - around), until: Math.min(heard.until + around, to) };
      parts.push({ kind: "heard", sound: sound.read(span), reported: reported === "" ? undefined : reported });
      reported = "";
      from = to;
    };
    for (const { place, event } of notes) {
      if (event.kind === "words") reported = reported === "" ? event.text : `${reported} ${event.text}`;
      else {
        hear(wordEnd(voice, place));
        parts.push(event);
      }
    }
    hear(Math.min(before, Math.max(until + this.#samplesOf(AROUND_MS), from)));
    return parts;
  }

  #samplesOf(ms: number): number {
    return Math.round((ms * this.#rate) / 1000);
  }
}

/** A place, or the end of the words in which it lies. */
function wordEnd(voice: readonly Span[], place: number): number {
  return voice.find(({ from, until }) => from < place && place < until)?.until ?? place;
}
