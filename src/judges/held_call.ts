import type { EndReason, Message, ToolCall } from "../transcript/mod.ts";

/** A call that is over, as far as it can be judged. */
export interface HeldCall {
  readonly transcript: readonly Message[];
  /** Ids in the order of entry, the entry node first. */
  readonly nodesVisited: readonly string[];
  readonly toolsCalled: readonly ToolCall[];
  readonly variables: { readonly [name: string]: string };
  readonly endReason: EndReason | undefined;
  /** Why, in words, where the reason does not say it all. */
  readonly endDetail?: string | undefined;
}
