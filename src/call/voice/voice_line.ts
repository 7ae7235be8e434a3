import { type Clock, dropPromise } from "../../base/values/mod.ts";
import { type AgentTurn, connectionFailure } from "../connection/mod.ts";
import { AgentSound } from "./agent_sound.ts";
import { CallerSpeech, type Spoken } from "./caller_speech.ts";
import { type FrameClock, startFrameClock } from "./frame_clock.ts";
import { FRAME_MS, firstLoud, levelOf, type Span } from "./level.ts";
import type { Turns } from "./options.ts";
import { Recording } from "./recording.ts";
import type { SpeechDetector } from "./speech_detector.ts";
import { SpeechFilter } from "./speech_filter.ts";
import { TurnNotes, type TurnPart } from "./turn_parts.ts";
import type { VoiceWire, WireEvent } from "./voice_wire.ts";

/** What a line needs besides what carries the sound. */
export interface LineOptions {
  /** Name of the agent in errors. */
  readonly name: string;
  readonly turns: Turns;
  /** Ends every wait. */
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, "now" | "pause">;
  /** Tells the agent's speech from other sounds. */
  readonly detector?: SpeechDetector | undefined;
  /** Folder for a recording. */
  readonly record?: string | undefined;
  /** What the caller's line does to each frame, such as noise. */
  readonly effects?: ((frame: Int16Array) => Int16Array) | undefined;
  /** Called at the beginning of each turn. */
  readonly onMark?: (place: number, label: string) => void;
  /** Called with what the platform has heard of the caller. */
  readonly onHeard?: (text: string, corrects: boolean) => void;
}

/** The end of the agent's turn. */
export interface AgentTurnEnd {
  /** Where its first words begin; `undefined` if it hung up without any. */
  readonly first: number | undefined;
  /** Where the caller's first word interrupts it; `undefined`: it was over before. */
  readonly interruptedAt?: number | undefined;
}

/** The caller's sound that interrupts the agent. */
export interface Overlay {
  /** Milliseconds from the agent's first word to the caller's. */
  readonly afterMs: number;
  readonly sound: Int16Array;
  readonly label: string;
}

/** Sound that an agent may have sent and not played when it hangs up, in milliseconds: less is a matter of the network. */
const CUT_MS = 200;
/** Silence with which an agent that was interrupted has stopped, in milliseconds. A shorter one is between words. */
const STOPPED_MS = 300;
/** An agent that speaks less than this before, in milliseconds, still speaks: it is between words. */
const BETWEEN_WORDS_MS = 200;
/** Sound that may wait to be played, in milliseconds. Platforms drop what is more. */
const MOST_AHEAD_MS = 600_000;

/**
 * A caller's end of a call. One clock moves both channels: each 20 ms a frame is sent, and the agent's sound is played at
 * the place of its arrival. Places are samples from the start of the call.
 */
export class VoiceLine {
  readonly #wire: VoiceWire;
  readonly #options: LineOptions;
  readonly #sound: AgentSound;
  readonly #frames: FrameClock;
  readonly #recording: Recording | undefined;
  readonly #stopped = new AbortController();
  readonly #marks: { readonly place: number; readonly played: () => void }[] = [];
  readonly #silence: Int16Array;
  /** Level from which sound is voice. */
  readonly #level: number;
  readonly #filter: SpeechFilter | undefined;
  #speech: CallerSpeech | undefined;
  /** Where the agent last dropped its sound. */
  #clearedAt = -1;
  #check: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;
  readonly #notes: TurnNotes;
  /** Whether the agent's turn goes on whatever its silence, and the place since when that is so, or not. */
  #busy = { isOn: false, since: 0 };
  /** Where the agent let its turn pass. */
  #passedAt = -1;
  /** How the agent is about to hang up. */
  #ends: AgentTurn["ended"];
  /** Where the call is over, when the agent has closed the connection. */
  #endsAt = Number.POSITIVE_INFINITY;
  #hasEnded = false;
  /** The end of what was transcribed. */
  #heardTo = 0;

  constructor(wire: VoiceWire, options: LineOptions) {
    const { turns, clock, detector, record } = options;
    this.#wire = wire;
    this.#options = options;
    this.#level = levelOf(turns.levelDb);
    this.#sound = new AgentSound(wire.rate, turns, detector !== undefined);
    this.#notes = new TurnNotes(wire.rate);
    this.#recording = record === undefined ? undefined : new Recording(record);
    const onSpeech = (span: Span) => this.#sound.addSpeech(span);
    const onError = (error: unknown) => {
      this.#failure ??= { error };
    };
    this.#filter = detector && new SpeechFilter(wire.rate, { detector, onSpeech, onError });
    this.#silence = new Int16Array(this.#samplesOf(FRAME_MS));
    this.#frames = startFrameClock(clock, wire.rate, (place) => this.#tick(place));
    dropPromise(this.#read());
  }

  /** Whether the agent has hung up. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  /** How the agent has ended the call; `undefined` if it has not. */
  get ended(): AgentTurn["ended"] {
    return this.#hasEnded ? (this.#ends ?? "agent_ended") : undefined;
  }
  /** The place of this moment. */
  get now(): number {
    return this.#frames.now();
  }

  /** Waits until the agent is silent, so that the caller does not talk over it. */
  async quiet(): Promise<void> {
    const end = this.#samplesOf(this.#options.turns.endMs);
    await this.#until(() =>
      !this.#goesOn && this.#frames.listenedSince(this.#sound.voiceEnd) >= end ? true : undefined,
    );
  }

  /** Speaks, unless the agent hangs up meanwhile. */
  async speak(samples: Int16Array, label: string): Promise<Spoken> {
    this.#mark(this.now, label);
    this.#speech = new CallerSpeech(samples, 0, this.#level);
    return await this.spoken();
  }

  /** Waits until the caller has said what it says. */
  async spoken(): Promise<Spoken> {
    const speech = this.#speech;
    if (!speech) return { first: this.now, last: this.now };
    try {
      await this.#until(() => (speech.isDone ? true : undefined));
    } finally {
      this.#speech = undefined;
    }
    return speech.spoken;
  }

  /** Waits for a time, in which the agent may speak. */
  async wait(ms: number): Promise<void> {
    const [from, least] = [this.now, this.#samplesOf(ms)];
    await this.#until(() => (this.#frames.listenedSince(from) >= least ? true : undefined));
  }

  /** Presses a key. */
  press(key: string): void {
    this.#wire.dtmf?.(key);
  }

  /**
   * Waits until the agent is silent that the caller has interrupted.
   *
   * @param spoken The caller's words.
   * @param limit Place at which it has not stopped.
   * @returns Where its voice ends; `undefined` if it talks on.
   */
  async stopped({ first: since, last }: Spoken, limit: number): Promise<number | undefined> {
    const gap = this.#samplesOf(STOPPED_MS);
    // what it says behind the caller's last word, after a short silence, is its answer
    const short = this.#samplesOf(BETWEEN_WORDS_MS);
    const found = await this.#until((now): { readonly at: number | undefined } | undefined => {
      const cleared = this.#clearedAt >= since ? this.#sound.voiceAfter(since, this.#clearedAt).until : undefined;
      const behind = now > last ? this.#sound.silentFrom(last, now, short) : undefined;
      const answers = behind === last ? this.#sound.voiceAfter(since, last).until : behind;
      const at = cleared ?? this.#sound.silentFrom(since, now, gap) ?? answers;
      if (at !== undefined) return { at };
      return now >= limit ? { at: undefined } : undefined;
    });
    return found ? found.at : Math.max(since, Math.min(this.#sound.voiceEnd, this.now));
  }

  /** Milliseconds in which the agent speaks between two places. */
  voicedMs(from: number, until: number): number {
    return (this.#sound.voicedIn({ from, until }) / this.#wire.rate) * 1000;
  }

  /** The longest silence of the agent after a place, between its words and before the first one, in milliseconds. */
  longestPauseMs(after: number, before: number): number {
    const groups = this.#sound
      .groupsAfter(after, this.#samplesOf(BETWEEN_WORDS_MS))
      .filter(({ from }) => from < before);
    const pauses = groups.map(({ from }, at) => from - (groups[at - 1]?.until ?? after));
    return (Math.max(0, ...pauses) / this.#wire.rate) * 1000;
  }

  /**
   * Waits for the end of the agent's turn after a place: it has said something and is silent, lets its turn pass, or has
   * hung up.
   *
   * @param over What the caller says over it: the turn is then over where that begins.
   * @throws {ConnectionError} `silence` if it says nothing.
   */
  async listen(after: number, label: string, over?: Overlay): Promise<AgentTurnEnd> {
    const { name, turns } = this.#options;
    const [end, giveUp] = [this.#samplesOf(turns.endMs), this.#samplesOf(turns.giveUpMs)];
    const answered = await this.#until((now) => {
      const { first, until } = this.#sound.voiceAfter(after);
      const interruptedAt = first === undefined || !over ? undefined : this.#interrupt(over, { first, until }, now);
      if (interruptedAt !== undefined) return { first, interruptedAt };
      if (this.#goesOn) return undefined;
      if (first !== undefined && this.#frames.listenedSince(until) >= end) return { first };
      if (first === undefined && this.#passedAt > after && this.#frames.listenedSince(this.#passedAt) >= end)
        return { first };
      if (first === undefined && this.#frames.listenedSince(Math.max(after, this.#busy.since)) >= giveUp)
        throw connectionFailure(name, "silence", `it said nothing for ${turns.giveUpMs} ms`, {
          hint: "Check what the agent hears; set opening: false if it does not speak first, or raise turns.giveUpMs",
        });
      return undefined;
    });
    const { first, interruptedAt }: AgentTurnEnd = answered ?? this.#sound.voiceAfter(after);
    if (first !== undefined) this.#mark(first, label);
    return { first, interruptedAt };
  }

  /** Begins to talk over the agent when it is time, so that the caller's first word is exact to a sample. */
  #interrupt(
    { afterMs, sound, label }: Overlay,
    { first, until }: { readonly first: number; readonly until: number },
    now: number,
  ): number | undefined {
    const lead = Math.max(0, firstLoud(sound, this.#level));
    const from = Math.max(now, first + this.#samplesOf(afterMs) - lead);
    if (from - now >= this.#silence.length || until < now - this.#samplesOf(BETWEEN_WORDS_MS)) return undefined;
    if (sound.length > 0) {
      this.#mark(from, label);
      this.#speech = new CallerSpeech(sound, from, this.#level);
    }
    this.#wire.interrupted?.(((from + lead - first) / this.#wire.rate) * 1000);
    return from + lead;
  }

  #mark(place: number, label: string): void {
    this.#recording?.mark(place, label);
    this.#options.onMark?.(place, label);
  }

  /**
   * What the agent has said and done since it was last taken.
   *
   * @param before What comes later stays.
   */
  take(before?: number): readonly TurnPart[] {
    const parts = this.#notes.take(this.#sound, this.#heardTo, before);
    this.#heardTo = before ?? this.now;
    if (!this.#recording) this.#sound.forget(this.#heardTo);
    return parts;
  }

  /**
   * Ends the call and writes the recording.
   *
   * @returns URL of the recording; `undefined` without one, or when it cannot be written.
   */
  async end(name: string): Promise<string | undefined> {
    const until = this.now;
    this.#stopped.abort();
    this.#frames.stop();
    this.#check?.();
    await this.#wire.hangUp();
    const at = { rate: this.#wire.rate, until };
    // a finished call stays one without its recording
    return await this.#recording?.save(name, this.#sound, at).catch(() => undefined);
  }

  /** Whether the agent's turn goes on whatever is known of its sound. */
  get #goesOn(): boolean {
    return this.#busy.isOn || this.#filter?.isBehind === true;
  }

  #samplesOf(ms: number): number {
    return Math.round((ms * this.#wire.rate) / 1000);
  }

  #tick(place: number): void {
    const samples = this.#nextFrame(place);
    try {
      if (this.#endsAt === Number.POSITIVE_INFINITY && !this.#failure) this.#wire.send(samples, place);
    } catch {
      // reading says how the connection ended
    }
    this.#playMarks();
    this.#filter?.endBefore(this.now);
    if (this.now >= this.#endsAt) this.#hasEnded = true;
    this.#check?.();
  }

  #nextFrame(place: number): Int16Array {
    const { effects } = this.#options;
    const frame = new Int16Array(this.#silence.length);
    const speaks = this.#speech?.isDone === false;
    if (speaks) this.#speech?.fill(frame, place);
    const sent = effects ? effects(frame) : frame;
    if (speaks || effects) this.#recording?.add(place, sent);
    return sent;
  }

  #playMarks(): void {
    const { now } = this;
    while (this.#marks[0] && this.#marks[0].place <= now) this.#marks.shift()?.played();
  }

  async #read(): Promise<void> {
    try {
      for (;;) {
        const event = await this.#wire.receive({ signal: this.#stopped.signal });
        if (!event) break;
        this.#apply(event);
      }
      this.#endBy();
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  #apply(event: WireEvent): void {
    const { now } = this;
    if (event.kind === "sound") {
      const ahead = this.#sound.end - now + event.samples.length;
      if (ahead > this.#samplesOf(MOST_AHEAD_MS))
        throw connectionFailure(
          this.#options.name,
          "vendor",
          `more than ${MOST_AHEAD_MS / 60_000} minutes of its sound wait to be played`,
        );
      const from = this.#sound.add(event.samples, now);
      this.#filter?.add(event.samples, from);
    } else if (event.kind === "clear") {
      this.#clearedAt = now;
      this.#sound.clear(now);
      this.#filter?.clear(now);
      for (const { played } of this.#marks.splice(0)) played();
    } else if (event.kind === "mark") {
      this.#marks.push({ place: this.#sound.end, played: event.played });
      this.#playMarks();
    } else if (event.kind === "busy") {
      if (event.on !== this.#busy.isOn) this.#busy = { isOn: event.on, since: now };
    } else if (event.kind === "passes") this.#passedAt = now;
    else if (event.kind === "ends") this.#ends = event.as;
    else if (event.kind === "words" && event.by === "caller")
      this.#options.onHeard?.(event.text, event.corrects === true);
    else this.#notes.add(event, Math.max(now, this.#sound.end));
  }

  /** The agent hangs up: what was not played is not heard, unless it has said that it ends the call. */
  #endBy(): void {
    const { now } = this;
    this.#endsAt = this.#ends ? Math.max(now, this.#sound.end) : now;
    if (this.#endsAt > now) return;
    const cut = Math.round(((this.#sound.voiceAfter(now).until - now) / this.#wire.rate) * 1000);
    this.#sound.clear(now);
    this.#hasEnded = true;
    if (cut <= CUT_MS) return;
    const state = `it closed the connection ${cut} ms before its last words were played`;
    const hint = "Let the agent wait for the mark after its last words before it closes the connection";
    this.#failure ??= { error: connectionFailure(this.#options.name, "ended-early", state, { hint }) };
  }

  /**
   * Waits for the result of a check, which runs each 20 ms.
   *
   * @returns `undefined` when the agent hangs up before.
   */
  async #until<Result>(check: (now: number) => Result | undefined): Promise<Result | undefined> {
    const { signal } = this.#options;
    return await new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        this.#check = undefined;
        end();
      };
      this.#check = () => {
        try {
          if (signal.aborted) return settle(() => reject(signal.reason));
          if (this.#failure) throw this.#failure.error;
          if (this.#hasEnded) return settle(() => resolve(undefined));
          if (this.#stopped.signal.aborted) return settle(() => reject(new Error("the call is over")));
          const result = check(this.now);
          if (result !== undefined) settle(() => resolve(result));
        } catch (error) {
          settle(() => reject(error));
        }
      };
      this.#check();
    });
  }
}
