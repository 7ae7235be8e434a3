import type { Verdict } from "./verdict.ts";

/** What was lost of a call's words between text-to-speech and transcription. */
export interface AudioResult {
  /** Messages that went through audio, in the order of the call. */
  readonly messages: readonly HeardMessage[];
  /** Wrong, missing and added words divided by the number of words that were written; 0 for no loss. */
  readonly wordErrorRate: number;
  /** The criteria of the scenario, judged by what was heard. */
  readonly verdicts: readonly Verdict[];
}

/** One message that went through text-to-speech and transcription. */
export interface HeardMessage {
  /** Index of the message in the transcript. */
  readonly message: number;
  readonly role: "user" | "assistant";
  readonly written: string;
  readonly heard: string;
  readonly wordErrorRate: number;
  /** Numbers, names and e-mail addresses that were written and not heard. */
  readonly lost: readonly LostItem[];
}

/** An item of a message that did not survive the way through audio. */
export interface LostItem {
  readonly kind: "number" | "name" | "email";
  readonly written: string;
}
