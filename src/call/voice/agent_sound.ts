import { FRAME_MS, firstLoud, isLoud, lastLoud, levelOf, type Span } from "./level.ts";
import type { Turns } from "./options.ts";

/** A piece of the agent's sound. */
interface Piece {
  readonly from: number;
  samples: Int16Array;
}

/** What was heard of the agent after a place of the call, in samples. */
export interface HeardVoice {
  /** Where its first words begin; `undefined`: it said nothing, or made only a noise. */
  readonly first: number | undefined;
  /** Where its voice ends so far. It may be in the future: sound can arrive before it is played. */
  readonly until: number;
}

/**
 * The agent's channel of a call. Sound is played when the sound before it has been played, and not before it arrives.
 * Places are samples from the start of the call.
 */
export class AgentSound {
  readonly #turns: Turns;
  readonly #rate: number;
  readonly #level: number;
  readonly #pieces: Piece[] = [];
  /** Where it is as loud as voice. */
  readonly #loud: Span[] = [];
  /** Where it was judged to be speech; `undefined`: what is loud is voice. */
  readonly #speech: Span[] | undefined;
  /** What has arrived of a frame, where it begins, and how many samples it has. */
  readonly #frame: Int16Array;
  #frameFrom = 0;
  #filled = 0;
  #end = 0;

  /** @param isJudged Whether loud sound is voice only where {@link addSpeech} says so. */
  constructor(rate: number, turns: Turns, isJudged = false) {
    this.#rate = rate;
    this.#turns = turns;
    this.#level = levelOf(turns.levelDb);
    this.#speech = isJudged ? [] : undefined;
    this.#frame = new Int16Array(this.#samplesOf(FRAME_MS));
  }

  /** Where all sound that has arrived will have been played. */
  get end(): number {
    return this.#end;
  }

  /** Where the voice that was not forgotten ends; 0 without any. */
  get voiceEnd(): number {
    return (this.#speech ? this.#spansIn(0) : this.#loud).at(-1)?.until ?? 0;
  }

  /** Adds sound that arrives now. Returns its place. */
  add(samples: Int16Array, now: number): number {
    const from = Math.max(now, this.#end);
    if (samples.length === 0) return from;
    if (from > this.#end) this.#endFrame();
    this.#pieces.push({ from, samples });
    this.#end = from + samples.length;
    for (let at = 0; at < samples.length; ) {
      if (this.#filled === 0) this.#frameFrom = from + at;
      const part = samples.subarray(at, at + this.#frame.length - this.#filled);
      this.#frame.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === this.#frame.length) this.#endFrame();
    }
    return from;
  }

  /** Says that a span is speech. Spans come in order. */
  addSpeech(span: Span): void {
    const last = this.#speech?.at(-1);
    if (!last || last.until < span.from) this.#speech?.push(span);
    else this.#speech?.splice(-1, 1, { from: last.from, until: Math.max(last.until, span.until) });
  }

  /** Takes back the sound that was not played yet. */
  clear(now: number): void {
    if (this.#end <= now) return;
    this.#filled = 0;
    for (let last = this.#pieces.at(-1); last && last.from + last.samples.length > now; last = this.#pieces.at(-1)) {
      if (last.from >= now) this.#pieces.pop();
      else last.samples = last.samples.slice(0, now - last.from);
    }
    for (const list of [this.#loud, this.#speech ?? []])
      for (let last = list.at(-1); last && last.until > now; last = list.at(-1)) {
        list.pop();
        if (last.from < now) list.push({ from: last.from, until: now });
      }
    this.#end = now;
  }

  /** The agent's voice after a place, and before another one. */
  voiceAfter(place: number, before = Number.POSITIVE_INFINITY): HeardVoice {
    const spans = this.#spansIn(place, before);
    const until = spans.at(-1)?.until ?? place;
    const gap = this.#samplesOf(this.#turns.endMs);
    const least = this.#samplesOf(this.#turns.leastMs);
    let group = { from: place, until: place, voiced: 0 };
    for (const span of spans) {
      const goesOn = group.voiced > 0 && span.from - group.until <= gap;
      const voiced = span.until - span.from + (goesOn ? group.voiced : 0);
      group = { from: goesOn ? group.from : span.from, until: span.until, voiced };
      if (voiced >= least) return { first: group.from, until };
    }
    return { first: undefined, until };
  }

  /** The voice after a place, in parts between which the agent is silent for at least so many samples. */
  groupsAfter(place: number, gap: number): readonly Span[] {
    const groups: Span[] = [];
    for (const span of this.#spansIn(place)) {
      const last = groups.at(-1);
      if (last && span.from - last.until < gap)
        groups[groups.length - 1] = { from: last.from, until: Math.max(last.until, span.until) };
      else groups.push(span);
    }
    return groups;
  }

  /** Samples of voice in a span; 0 if it is only a noise. */
  voicedIn({ from, until }: Span): number {
    const voiced = this.#spansIn(from, until).reduce((sum, span) => sum + span.until - span.from, 0);
    return voiced < this.#samplesOf(this.#turns.leastMs) ? 0 : voiced;
  }

  /**
   * Where the agent, who speaks at a place, falls silent for at least so many samples; the place itself if it was silent
   * there. `undefined`: it has not been silent for so long yet.
   */
  silentFrom(place: number, now: number, gap: number): number | undefined {
    const [first, next] = this.groupsAfter(place, gap);
    if (!first || first.from - place >= gap) return now - place >= gap ? place : undefined;
    return next || now - first.until >= gap ? first.until : undefined;
  }

  /** The sound of a span; silence where none was played. */
  read({ from, until }: Span): Int16Array {
    const sound = new Int16Array(Math.max(0, until - from));
    for (const piece of this.#pieces) {
      const start = Math.max(from, piece.from);
      const end = Math.min(until, piece.from + piece.samples.length);
      if (end > start) sound.set(piece.samples.subarray(start - piece.from, end - piece.from), start - from);
    }
    return sound;
  }

  /** Forgets what ends before a place. */
  forget(place: number): void {
    const kept = this.#pieces.findIndex(({ from, samples }) => from + samples.length > place);
    this.#pieces.splice(0, kept < 0 ? this.#pieces.length : kept);
    for (const list of [this.#loud, this.#speech ?? []]) {
      const spans = list.findIndex(({ until }) => until > place);
      list.splice(0, spans < 0 ? list.length : spans);
    }
  }

  #spansIn(place: number, before = Number.POSITIVE_INFINITY): readonly Span[] {
    const parts = this.#speech ?? [{ from: place, until: before }];
    return this.#loud.flatMap((loud) =>
      parts
        .map(({ from, until }) => ({
          from: Math.max(from, loud.from, place),
          until: Math.min(until, loud.until, before),
        }))
        .filter(({ from, until }) => until > from),
    );
  }

  #samplesOf(ms: number): number {
    return Math.round((ms * this.#rate) / 1000);
  }

  /** Notes whether the frame is voice. Its loud samples are, so that the place is exact to a sample. */
  #endFrame(): void {
    const from = this.#frameFrom;
    const frame = this.#frame.subarray(0, this.#filled);
    this.#filled = 0;
    if (!isLoud(frame, this.#level)) return;
    const last = this.#loud.at(-1);
    const until = from + lastLoud(frame, this.#level) + 1;
    const begin = from + firstLoud(frame, this.#level);
    // a frame after a voiced one continues it: between the loud samples of a wave are quiet ones
    if (last && from - last.until <= this.#samplesOf(FRAME_MS)) {
      this.#loud.pop();
      this.#loud.push({ from: last.from, until });
    } else this.#loud.push({ from: begin, until });
  }
}
