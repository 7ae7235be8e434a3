import type { EndReason, Message } from "../../document/transcript/mod.ts";

/** The outcome of one turn. */
export interface Turn {
  /** Messages that the turn added to the transcript, the caller's included. */
  readonly messages: readonly Message[];
  /** Texts that the caller heard, one for each time the agent spoke. */
  readonly spoken: readonly string[];
  /** The current node after the turn. */
  readonly nodeId: string;
  readonly ended: boolean;
  readonly endReason: EndReason | undefined;
}
