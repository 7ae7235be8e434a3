import type { EndReason } from "./call.ts";
import type { Verdict } from "./verdict.ts";

/** The words of a call that were lost between text-to-speech and transcription. */
export interface AudioResult {
  /** Messages that went through audio, in the order of the call. */
  readonly messages: readonly HeardMessage[];
  /** Wrong, missing and added words divided by the number of words that were written; 0 for no loss. */
  readonly wordErrorRate: number;
  /** The scenario's criteria, judged by what was heard. */
  readonly verdicts: readonly Verdict[];
  /** Whose words went through audio: only the agent's, or also the caller's before the agent heard them. */
  readonly direction?: "agent" | "both";
  /** The same scenario, run in text; absent if the call's words are those of the text. */
  readonly text?: TextTwin;
  /** Differences from the same scenario in text. */
  readonly changes?: readonly AudioChange[];
  readonly usage?: AudioUsage;
}

/** One message that went through text-to-speech and transcription. */
export interface HeardMessage {
  /** Index of the message in the transcript. */
  readonly message: number;
  readonly role: "user" | "assistant";
  readonly written: string;
  readonly heard: string;
  readonly wordErrorRate: number;
  /** Numbers, names and e-mail addresses that were written but not heard. */
  readonly lost: readonly LostItem[];
  /** The word diff: what stayed, what is missing and what was added. Numbers are digits. */
  readonly diff?: readonly WordChange[];
}

/** An item of a message that audio lost. */
export interface LostItem {
  readonly kind: "number" | "name" | "email";
  readonly written: string;
}

/** Consecutive words that were heard as written, not heard, or heard but not written. */
export interface WordChange {
  readonly kind: "same" | "missing" | "added";
  readonly words: string;
}

/** The call of the same scenario in text. */
export interface TextTwin {
  readonly status: "pass" | "fail" | "error";
  readonly errorMessage: string | null;
  readonly nodesVisited: readonly string[];
  readonly endReason?: EndReason | undefined;
}

/** One difference between a call with audio and the same scenario in text. */
export interface AudioChange {
  readonly kind: "status" | "criterion" | "path" | "variable" | "tool" | "end";
  /** The variable or the criterion. */
  readonly name?: string;
  /** In text; `null` where it is not there. */
  readonly text: string | null;
  /** With audio; `null` where it is not there. */
  readonly audio: string | null;
}

/** Usage of the speech and transcription models of a call, by which they are billed. */
export interface AudioUsage {
  readonly speechModel: string;
  readonly transcriptionModel: string;
  readonly requests: number;
  /** Characters that were spoken. */
  readonly characters: number;
  /** Seconds of sound, as far as the models report them. */
  readonly seconds: number;
}
