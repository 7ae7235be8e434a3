import type { Message } from "../../document/transcript/mod.ts";

/** A variable with a changed value; `was` is absent for a new one. */
export interface VariableChange {
  readonly name: string;
  readonly value: string;
  readonly was?: string;
}

/** Callbacks during a turn. */
export interface ChatListeners {
  /** Streams the text of a reply. */
  readonly onToken: (text: string) => void;
  /** Called with every message that is added to the transcript. */
  readonly onMessage: (message: Message) => void;
  /** Called with the variables that the last message has changed. */
  readonly onVariables: (changes: readonly VariableChange[]) => void;
  /** Called when a reply is requested again after part of it was streamed. */
  readonly onRetry: (reason: string) => void;
}
