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
}
