import type { EndReason, Message, ToolCall, TurnLatency } from "../../document/transcript/mod.ts";

/** A finished call, as judges receive it. */
export interface JudgedCall {
  readonly transcript: readonly Message[];
  /** Ids in the order of entry, the entry node first. */
  readonly nodesVisited: readonly string[];
  readonly toolsCalled: readonly ToolCall[];
  readonly variables: { readonly [name: string]: string };
  readonly endReason: EndReason | undefined;
  /** Details of the end reason. */
  readonly endDetail?: string | undefined;
  /** How long the caller waited in each turn; absent if it is not known. */
  readonly latency?: readonly TurnLatency[] | undefined;
}
