/** How long the caller waited for the agent in one turn. */
export interface TurnLatency {
  /** Number of the caller's turn, from 1; 0 for the opening. */
  readonly turn: number;
  /** Id of the node that spoke first; empty if it is not known. */
  readonly nodeId: string;
  /** From the caller's last word to the agent's first one, in milliseconds; `null` if the agent said nothing. */
  readonly firstWordMs: number | null;
  /** The parts of the time until the first word; absent if only the total is known. */
  readonly parts?: LatencyParts;
}

/** Parts of the time until the agent's first word, in milliseconds. Parts that did not happen are 0. */
export interface LatencyParts {
  readonly transition: number;
  readonly extraction: number;
  readonly tools: number;
  /** From the request for the reply to its first word. */
  readonly reply: number;
}
