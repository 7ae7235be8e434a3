/** Where a turn is in the recording of a call, in milliseconds from its start. */
export interface TurnPlace {
  readonly speaker: "caller" | "agent";
  /** Number of the caller's turn, from 1; 0 for the opening. */
  readonly turn: number;
  readonly fromMs: number;
}

/** The caller interrupts the agent. */
export interface VoiceInterruption {
  /** Number of the turn with which the caller interrupts, from 1. */
  readonly turn: number;
  /** From the agent's first word to the caller's, in milliseconds. */
  readonly afterMs: number;
  /** Place of the caller's first word in the call, in milliseconds. */
  readonly atMs: number;
  /** From the caller's first word to the agent's last one, in milliseconds; `null`: the agent did not stop. */
  readonly stoppedMs: number | null;
}

/** A time in a turn, in milliseconds. */
export interface TurnPause {
  readonly turn: number;
  readonly ms: number;
}

/** What the agent's platform wrote down, and what was said. */
export interface HeardWords {
  readonly by: "caller" | "agent";
  readonly turn: number;
  /** The words of the caller, or what the caller's transcription model heard of the agent. */
  readonly said: string;
  /** The platform's transcript. */
  readonly heard: string;
}

/** What only a call by voice shows. */
export interface VoiceRecord {
  readonly turns: readonly TurnPlace[];
  readonly interruptions: readonly VoiceInterruption[];
  /** How long the agent talked over the caller, in turns in which it did. */
  readonly overlaps: readonly TurnPause[];
  /** The longest silence in each turn of the agent, the one before its first word included. */
  readonly pauses: readonly TurnPause[];
  /** Empty if the platform does not write down words. */
  readonly words: readonly HeardWords[];
}
