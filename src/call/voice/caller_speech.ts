import { firstLoud, lastLoud } from "./level.ts";

/** A caller's words that were spoken. */
export interface Spoken {
  /** Place of the first sample that can be heard. */
  readonly first: number;
  /** Place behind the last sample that can be heard. */
  readonly last: number;
}

/** Something that the caller is saying, in frames. */
export class CallerSpeech {
  readonly #samples: Int16Array;
  readonly #from: number;
  readonly #firstLoud: number;
  readonly #lastLoud: number;
  #sent = 0;
  #spoken: Spoken;

  /**
   * @param from Place of its first sample, at the earliest.
   * @param level From which sound is voice.
   */
  constructor(samples: Int16Array, from: number, level: number) {
    this.#samples = samples;
    this.#from = from;
    this.#firstLoud = Math.max(0, firstLoud(samples, level));
    this.#lastLoud = lastLoud(samples, level);
    this.#spoken = { first: from, last: from };
  }

  get isDone(): boolean {
    return this.#sent >= this.#samples.length;
  }

  /** Where its first and last words were sent so far. A frame that is missed makes them later. */
  get spoken(): Spoken {
    return this.#spoken;
  }

  /** Writes its next part into a frame, of which the first may begin before it. */
  fill(frame: Int16Array, place: number): void {
    const ahead = Math.min(frame.length, Math.max(0, this.#from + this.#sent - place));
    const part = this.#samples.subarray(this.#sent, this.#sent + frame.length - ahead);
    frame.set(part, ahead);
    const begin = place + ahead - this.#sent;
    const sent = this.#sent + part.length;
    if (this.#firstLoud >= this.#sent) this.#spoken = { ...this.#spoken, first: begin + this.#firstLoud };
    if (this.#lastLoud >= this.#sent)
      this.#spoken = { ...this.#spoken, last: begin + Math.min(this.#lastLoud + 1, sent) };
    this.#sent = sent;
  }
}
