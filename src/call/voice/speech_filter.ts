import { createResampler } from "../audio/mod.ts";
import type { Span } from "./level.ts";
import { type DetectSpeech, type SpeechDetector, WINDOW, WINDOW_RATE } from "./speech_detector.ts";

/** Probability from which a window is speech; once it is, it goes on down to the lower one. Silero's own defaults. */
const [BEGINS, GOES_ON] = [0.5, 0.35];
/** A shorter gap between two parts of a sound comes from the network, and behind a longer one it has ended, in seconds. */
const LONGEST_GAP_SECONDS = 0.2;
/** Silence with which the last windows of a sound are full, and known to be beside no speech, in seconds. */
const TAIL_SECONDS = 0.1;

/** What a filter tells. */
export interface SpeechFilterOptions {
  readonly detector: SpeechDetector;
  /** Called with each part of the sound that is speech, or has speech beside it: words begin and end quietly. */
  readonly onSpeech: (span: Span) => void;
  readonly onError: (error: unknown) => void;
}

/** Finds the speech in the agent's sound. */
export class SpeechFilter {
  readonly #rate: number;
  readonly #options: SpeechFilterOptions;
  #waiting = 0;
  #part: SoundPart | undefined;

  /** @param rate Samples per second of the sound. */
  constructor(rate: number, options: SpeechFilterOptions) {
    this.#rate = rate;
    this.#options = options;
  }

  /** Whether some of the sound was not judged yet. */
  get isBehind(): boolean {
    return this.#waiting > 0;
  }

  /** Adds sound at its place. */
  add(samples: Int16Array, from: number): void {
    this.endBefore(from);
    const gap = from - (this.#part?.end ?? from);
    if (!this.#part || gap < 0) this.#part = new SoundPart(this.#rate, from, this.#options.detector.start());
    else if (gap > 0) this.#judge(this.#part, new Int16Array(gap));
    this.#judge(this.#part, samples);
  }

  /** Judges the end of the sound, with silence behind it, if it has ended before a place. */
  endBefore(place: number): void {
    if (!this.#part || place - this.#part.end <= LONGEST_GAP_SECONDS * this.#rate) return;
    this.#judge(this.#part, new Int16Array(Math.ceil(TAIL_SECONDS * this.#rate)));
    this.#part = undefined;
  }

  /** Forgets the sound behind a place, which is not played. What comes there next is judged anew. */
  clear(place: number): void {
    if (this.#part) this.#part.cutAt = place;
    this.#part = undefined;
  }

  #judge(part: SoundPart, samples: Int16Array): void {
    for (const window of part.windowsOf(samples)) {
      this.#waiting += 1;
      part
        .judge(window)
        .then((speech) => speech && this.#options.onSpeech(speech), this.#options.onError)
        .finally(() => {
          this.#waiting -= 1;
        });
    }
  }
}

/** Sound without a gap. */
class SoundPart {
  readonly #from: number;
  readonly #rate: number;
  readonly #resample: (samples: Int16Array) => Int16Array;
  readonly #detect: DetectSpeech;
  readonly #window = new Float32Array(WINDOW);
  #filled = 0;
  #judged = 0;
  /** Whether the last windows are speech. */
  #last: readonly boolean[] = [];
  /** Where the sound ends so far. */
  end: number;
  /** Nothing is said of what lies behind it. */
  cutAt = Number.POSITIVE_INFINITY;

  constructor(rate: number, from: number, detect: DetectSpeech) {
    this.#rate = rate;
    this.#from = from;
    this.end = from;
    this.#resample = createResampler(rate, WINDOW_RATE);
    this.#detect = detect;
  }

  /** The windows that are full with more of the sound. */
  *windowsOf(samples: Int16Array): Generator<Float32Array<ArrayBuffer>> {
    this.end += samples.length;
    for (const sample of this.#resample(samples)) {
      this.#window[this.#filled++] = sample / 32_768;
      if (this.#filled < WINDOW) continue;
      this.#filled = 0;
      yield this.#window.slice();
    }
  }

  /** Judges the next window. Returns the one before it, if it or one of its neighbours is speech. */
  async judge(window: Float32Array<ArrayBuffer>): Promise<Span | undefined> {
    const probability = await this.#detect(window);
    const isSpeech = probability >= (this.#last.at(-1) ? GOES_ON : BEGINS);
    this.#last = [...this.#last.slice(-2), isSpeech];
    const before = this.#judged++ - 1;
    if (before < 0 || !this.#last.includes(true)) return undefined;
    const [from, until] = [this.#placeOf(before), Math.min(this.#placeOf(before + 1), this.cutAt)];
    return from < until ? { from, until } : undefined;
  }

  #placeOf(window: number): number {
    return this.#from + Math.round((window * WINDOW * this.#rate) / WINDOW_RATE);
  }
}
