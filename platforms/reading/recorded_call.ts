import type { Call, CallProvenance } from "../../src/document/transcript/mod.ts";

/**
 * A call that happened, read from a platform or a file. Its `endReason` is absent if Callweave has no equivalent of the
 * platform's reason, which is in `provenance.platformEndReason`. `node_id` of a message is empty if the node is not known;
 * timestamps are the start of the call plus the platform's offsets, else the start of the call.
 */
export interface RecordedCall extends Call {
  readonly provenance: CallProvenance;
  readonly startedAt: string | null;
  readonly durationMs: number | null;
}

/** A record of a source that is not a call, or is incomplete. */
export interface UnreadableCall {
  /** `damaged`: it cannot be read. `skipped`: it is intact but has no finished call, such as an event during a call. */
  readonly problem: "damaged" | "skipped";
  /** The problem, as a sentence without a full stop. */
  readonly reason: string;
  /** Name of the file or platform. */
  readonly source: string;
  /** Number of the record in its source, from 1. */
  readonly position: number;
  /** Line of the file in which the record begins, from 1; `null` for records that do not come from a file. */
  readonly line: number | null;
}
