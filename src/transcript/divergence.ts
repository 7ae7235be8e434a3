import type { TakenWay } from "./ways.ts";

/** How a replayed call compares with its recording. */
export interface ReplayRecord {
  /** Id of the result that was replayed. */
  readonly ofResult: string;
  /** `strict`: the caller said the recorded words in order. `adaptive`: a model spoke where the agent diverged. */
  readonly mode: "strict" | "adaptive";
  /** Where the replay differs from the recording, the first difference first. */
  readonly divergences: readonly Divergence[];
}

/** One difference between a replayed call and its recording. */
export interface Divergence {
  readonly kind: "path" | "variable" | "tool" | "end";
  /** Number of the caller's turn, from 1; 0 for the opening. */
  readonly turn: number;
  /** Id of the node in which the difference began; empty where it is not known. */
  readonly nodeId: string;
  /** What happened in the recording, as text; `null` for nothing. */
  readonly recorded: string | null;
  /** What happened in the replay, as text; `null` for nothing. */
  readonly replayed: string | null;
  /** One sentence for a person. */
  readonly reason: string;
  /** Transition that the recording took; absent where it took none, or none is known. */
  readonly recordedTransition?: DivergedTransition;
  /** Transition that the replay took; absent where it took none. */
  readonly replayedTransition?: DivergedTransition;
  /** Why the recording went there or stayed, with the model's reasoning; absent where it is not known. */
  readonly recordedReason?: string;
  /** Why the replay went there or stayed, with the model's reasoning. */
  readonly replayedReason?: string;
  /** What differs at the node between the graph of the recording and today's, one sentence each. */
  readonly graphChanges?: readonly string[];
  /** Whether the calls already differed when it began, so that it may follow from an earlier difference. */
  readonly follows?: true;
}

/** A transition that a call took. */
export interface DivergedTransition {
  readonly from: string;
  readonly to: string;
  /** The transitions of `from` by index, the entry of a global node, or a go-back condition; empty where not known. */
  readonly ways: readonly TakenWay[];
  /** In words, with its condition: `ask -> find: Caller gives a number`. */
  readonly name: string;
}
