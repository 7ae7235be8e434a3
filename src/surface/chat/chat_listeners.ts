import type { RetryEvent, TokenEvent, TranscriptEvent } from "../../call/engine/mod.ts";

/** A variable with a changed value; `was` is absent for a new one. */
export interface VariableChange {
  readonly name: string;
  readonly value: string;
  readonly was?: string;
}

/** Callbacks during a turn: those of a conversation, and the variables that changed. */
export interface ChatListeners {
  /** Streams the text of a reply. */
  readonly onToken: (event: TokenEvent) => void;
  /** Called with every message that is added to the transcript. */
  readonly onMessage: (event: TranscriptEvent) => void;
  /** Called with the variables that the last message has changed. */
  readonly onVariables: (event: { readonly changes: readonly VariableChange[] }) => void;
  /** Called when a reply is requested again after part of it was streamed. */
  readonly onRetry: (event: RetryEvent) => void;
}
