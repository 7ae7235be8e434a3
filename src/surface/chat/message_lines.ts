import { isRecord, recordAt, shorten } from "../../base/values/mod.ts";
import type { RetryEvent, TokenEvent, TranscriptEvent } from "../../call/engine/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";

/** Maximum length of a variable's value and of a tool's result on a line, in characters. */
const LONGEST = 160;

/** Formats a message that the caller does not hear on one line; `undefined` for speech. */
export function messageLine(message: Message): string | undefined {
  const { role, content, metadata } = message;
  if (role === "user" || role === "assistant") return undefined;
  if (role === "system") return metadata.kind === "steering" ? `steering: ${content}` : `not spoken: ${content}`;
  switch (metadata.kind) {
    case "transition":
      return `${metadata.from} → ${metadata.to}: ${metadata.because}${reasoningIn(metadata)}`;
    case "tool_call":
      return `${metadata.name}(${argumentsText(metadata.arguments)}) ${toolResult(metadata)}`;
    case "extraction":
      return undefined; // the changed variables are shown instead
    default:
      return content.replace(/^no transition taken: /, `stays at ${message.node_id}: `);
  }
}

/** A variable's new value, in one line. */
export function variableLine({ name, value, was }: VariableChange): string {
  return `${name} = ${quotedValue(value)}${was === undefined ? "" : ` (was ${quotedValue(was)})`}`;
}

/** A value in quotes, shortened. */
function quotedValue(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "nothing", LONGEST);
}

function argumentsText(value: unknown): string {
  if (!isRecord(value)) return "";
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${quotedValue(each)}`)
    .join(", ");
}

function toolResult({ result, outcome, mocked, duration_ms: ms }: Message["metadata"]): string {
  const shown = typeof result === "string" && outcome === "failed" ? result : quotedValue(result);
  const how = mocked === true ? "mocked" : `${Math.round(Number(ms) || 0)} ms`;
  return `${outcome === "failed" ? "failed:" : "→"} ${shown} (${how})`;
}

function reasoningIn(metadata: Message["metadata"]): string {
  const { reasoning } = recordAt(metadata, "decision");
  return typeof reasoning === "string" && reasoning.trim() !== "" ? `; ${reasoning.trim()}` : "";
}

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
