import type { SpeechModel, TranscriptionModel } from "ai";

/** Any speech model of the AI SDK, a `provider/model` string, or `offline`: espeak-ng on this machine. */
export type SpeechReference = SpeechModel | string;

/** Any transcription model of the AI SDK, a `provider/model` string, or `offline`: pocketsphinx on this machine. */
export type TranscriptionReference = TranscriptionModel | string;

/** A telephone line: 8 kHz and µ-law, as in every telephone network. */
export interface PhoneLine {
  /** Signal-to-noise ratio in decibels: 30 is a quiet room, 10 a busy street, 0 as much noise as speech. Default: no noise. */
  readonly snrDb?: number;
  /** Share of the packets of 20 ms that are lost, from 0 to 1. Default: 0. */
  readonly packetLoss?: number;
  /** Seed of noise and loss: the same seed gives the same sound in every run. Default: 1. */
  readonly seed?: number;
}

/** Options of a run's `audio`. */
export interface AudioOptions {
  /** Speech model. Default: `offline`. */
  readonly speech?: SpeechReference;
  /** Transcription model. Default: `offline`. */
  readonly transcription?: TranscriptionReference;
  /**
   * Whose words go through audio. `agent`: the agent's, after the call, to see what a caller would hear. `both`: also the
   * caller's, before the agent hears them. Default: `agent`.
   */
  readonly direction?: "agent" | "both";
  /** The simulated line; `false` for none. Default: a line without noise and loss with `both`, none with `agent`. */
  readonly line?: PhoneLine | false;
  /** Voice of the agent, as the speech model names it. Default: the model's own. */
  readonly voice?: string;
  /** Voice of the caller. Default: the agent's. */
  readonly callerVoice?: string;
  /** ISO 639-1 code of the language for the speech model, such as `de`. Default: the model's own. */
  readonly language?: string;
  /**
   * Format to request from the speech model: `wav`, `pcm_16000` (raw samples of that rate) or another one that the
   * model supports. A line needs one of the first two. Default: `wav`.
   */
  readonly format?: string;
  /** With `both`, whether each call also runs in text, to report what audio changed. Default: true. */
  readonly compareWithText?: boolean;
  /** Maximum number of concurrent requests to the two models, over all calls. Default: 4. */
  readonly concurrency?: number;
  /** Folder for the sound files, one per message. Default: sound is not stored. */
  readonly keep?: string;
}

/** Default of `concurrency`. */
export const DEFAULT_AUDIO_CONCURRENCY = 4;

/** The line of a run; `undefined` for none. */
export function lineOf({ line, direction = "agent" }: AudioOptions): PhoneLine | undefined {
  if (line === false) return undefined;
  return line ?? (direction === "both" ? {} : undefined);
}
