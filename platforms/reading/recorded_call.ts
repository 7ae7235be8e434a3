import type { JsonObject } from "../../src/base/values/mod.ts";
import type { CallProvenance, EndReason, Message, ToolCall, TurnLatency } from "../../src/document/transcript/mod.ts";

/** A call that happened, read from a platform or a file. */
export interface RecordedCall {
  readonly provenance: CallProvenance;
  /** ISO 8601; `null` if the source does not have it. */
  readonly startedAt: string | null;
  /** `null` if the source does not have it. */
  readonly durationMs: number | null;
  /**
   * As in results of runs: transitions and tool calls are `tool` messages. `node_id` is empty if the node is not
   * known. Timestamps are the start of the call plus the platform's offsets, else the start of the call.
   */
  readonly transcript: readonly Message[];
  /** In the order of entry: the agent's ids if an agent was given and has the node, else the platform's. */
  readonly nodesVisited: readonly string[];
  readonly toolsCalled: readonly ToolCall[];
  /** Values at the end of the call. */
  readonly variables: JsonObject;
  /** Values that the call started with. */
  readonly startVariables?: JsonObject;
  /** `null` if Callweave has no equivalent of the platform's reason, which is in `provenance.platformEndReason`. */
  readonly endReason: EndReason | null;
  /** How long the caller waited in each turn, measured by the platform. */
  readonly latency?: readonly TurnLatency[];
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
