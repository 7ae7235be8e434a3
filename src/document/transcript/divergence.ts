import type { RecordedMove } from "./ways.ts";

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
