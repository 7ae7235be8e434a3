import type { EndReason, Message, RecordedMove, Verdict } from "./call.ts";

/** The repetitions of one trial, to find out why verdicts differ. */
export interface VarianceSample {
  /** The trial's own call first, then calls in which the agent heard the same words of the caller. */
  readonly calls: readonly VarianceCall[];
}

/** A call, judged one or more times. */
export interface VarianceCall {
  /** `error`: a model or the runner failed; such a call has no judgements. */
  readonly status: "judged" | "error";
  readonly endReason?: EndReason | undefined;
  readonly errorMessage: string | null;
  /** Absent for the trial's own call, whose transcript is the result's. */
  readonly transcript?: readonly Message[];
  readonly judgements: readonly VarianceJudgement[];
}

/** One judgement of a call. */
export interface VarianceJudgement {
  /** Whether all checks and criteria passed. */
  readonly passed: boolean;
  readonly verdicts: readonly Pick<Verdict, "criterion" | "score" | "passed">[];
}

/** The comparison of a replayed call with its recording. */
export interface ReplayRecord {
  /** Id of the result that was replayed. */
  readonly ofResult: string;
  /** `strict`: the caller said the recorded words in order. `adaptive`: a model spoke where the agent diverged. */
  readonly mode: "strict" | "adaptive";
  /** Differences from the recording, the first one first. */
  readonly divergences: readonly Divergence[];
}

/** One difference between a replayed call and its recording. */
export interface Divergence {
  readonly kind: "path" | "variable" | "tool" | "end";
  /** Number of the caller's turn, from 1; 0 for the opening. */
  readonly turn: number;
  /** Id of the node in which the difference began; empty if it is not known. */
  readonly nodeId: string;
  /** The recorded event, as text; `null` if nothing happened. */
  readonly recorded: string | null;
  /** The replayed event, as text; `null` if nothing happened. */
  readonly replayed: string | null;
  /** One sentence for a person. */
  readonly reason: string;
  /** Transition of the recording; absent if it took none, or none is known. */
  readonly recordedTransition?: DivergedTransition;
  /** Transition of the replay; absent if it took none. */
  readonly replayedTransition?: DivergedTransition;
  /** Why the recording moved or stayed, with the model's reasoning; absent if it is not known. */
  readonly recordedReason?: string;
  /** Why the replay moved or stayed, with the model's reasoning. */
  readonly replayedReason?: string;
  /** Changes of the node between the recording's graph and the current one, one sentence each. */
  readonly graphChanges?: readonly string[];
  /** Whether the calls already differed before, so that this difference may follow from an earlier one. */
  readonly follows?: true;
}

/** A transition that a call took. */
export interface DivergedTransition {
  readonly from: string;
  readonly to: string;
  /** The transitions of `from` by index, the entry of a global node, or a go-back condition; empty if not known. */
  readonly ways: readonly RecordedMove[];
  /** Its label, with its condition: `ask -> find: Caller gives a number`. */
  readonly name: string;
}

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
