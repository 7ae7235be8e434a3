import type { HeardWords, TurnPlace, VoiceInterruption, VoiceRecord } from "../../document/transcript/mod.ts";

/** Collects what only voice shows of a call. */
export class CallFigures {
  readonly #rate: number;
  readonly #turns: TurnPlace[] = [];
  readonly #interruptions: VoiceInterruption[] = [];
  readonly #overlaps: { readonly turn: number; readonly ms: number }[] = [];
  readonly #pauses: { readonly turn: number; readonly ms: number }[] = [];
  readonly #agentWords: HeardWords[] = [];
  readonly #said = new Map<number, string>();
  readonly #heard = new Map<number, string[]>();

  constructor(rate: number) {
    this.#rate = rate;
  }

  /** Notes the beginning of a turn. */
  turn(speaker: TurnPlace["speaker"], turn: number, place: number): void {
    this.#turns.push({ speaker, turn, fromMs: this.#msOf(place) });
  }

  interruption(interruption: VoiceInterruption): void {
    this.#interruptions.push(interruption);
  }

  /** Notes how long the agent talks over the caller; 0 for not at all. */
  overlap(turn: number, ms: number): void {
    if (ms > 0) this.#overlaps.push({ turn, ms: rounded(ms) });
  }

  pause(turn: number, ms: number): void {
    this.#pauses.push({ turn, ms: rounded(ms) });
  }

  /** Notes words of the caller. */
  said(turn: number, text: string): void {
    this.#said.set(turn, text);
  }

  /** Notes what the platform has heard of the caller in a turn. */
  heard(turn: number, text: string, corrects: boolean): void {
    this.#heard.set(turn, [...(this.#heard.get(turn) ?? []).slice(0, corrects ? -1 : undefined), text]);
  }

  /** Notes words of the agent as they were heard, and as the platform has them. */
  agentSaid(turn: number, said: string, heard: string | undefined): void {
    if (heard !== undefined) this.#agentWords.push({ by: "agent", turn, said, heard });
  }

  /** @param writes Whether the platform writes down every word of the caller: words that it does not have are lost. */
  record(writes: boolean): VoiceRecord {
    // without a single word, it was told not to write any
    const isWritten = writes && this.#heard.size > 0;
    const callers = [...this.#said].flatMap(([turn, said]): readonly HeardWords[] => {
      const heard = this.#heard.get(turn);
      return heard || isWritten ? [{ by: "caller", turn, said, heard: (heard ?? []).join(" ") }] : [];
    });
    return {
      turns: this.#turns.toSorted((one, other) => one.fromMs - other.fromMs),
      interruptions: this.#interruptions,
      overlaps: this.#overlaps,
      pauses: this.#pauses,
      words: [...callers, ...this.#agentWords],
    };
  }

  #msOf(place: number): number {
    return rounded((place / this.#rate) * 1000);
  }
}

/** To a tenth of a millisecond. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
