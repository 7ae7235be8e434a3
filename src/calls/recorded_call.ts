import type { CallProvenance, EndReason, Message, ToolCall, TurnLatency } from "../transcript/mod.ts";
import type { JsonObject } from "../values/mod.ts";

/** A call that happened, read from a platform or a file. */
export interface RecordedCall {
  readonly provenance: CallProvenance;
  /** ISO 8601; `null` when the source does not say it. */
  readonly startedAt: string | null;
  /** `null` when the source does not say it. */
  readonly durationMs: number | null;
  /**
   * As in results of runs: transitions and tool calls are `tool` messages. `node_id` is empty where the node is not
   * known. Timestamps are the start of the call plus the platform's offsets, else the start of the call.
   */
  readonly transcript: readonly Message[];
  /** In the order of entry: ids of the agent's nodes where an agent was given and has the node, else the platform's ids. */
  readonly nodesVisited: readonly string[];
  readonly toolsCalled: readonly ToolCall[];
  /** Values at the end of the call. */
  readonly variables: JsonObject;
  /** Values that the call started with. */
  readonly startVariables?: JsonObject;
  /** `null` when the platform's reason is none of Callweave's; `provenance.platformEndReason` has its words. */
  readonly endReason: EndReason | null;
  /** How long the caller waited in each turn, as the platform measured it. */
  readonly latency?: readonly TurnLatency[];
}

/** A record of a source that is not a call, or not a whole one. */
export interface UnreadableCall {
  /** `damaged`: it cannot be read. `skipped`: it is whole but holds no finished call, such as an event while a call runs. */
  readonly problem: "damaged" | "skipped";
  /** What is wrong, as a sentence without full stop. */
  readonly reason: string;
  /** Name of the file or platform. */
  readonly source: string;
  /** Number of the record in its source, from 1. */
  readonly position: number;
  /** Line of the file in which the record begins, from 1; `null` for records that do not come from a file. */
  readonly line: number | null;
}
