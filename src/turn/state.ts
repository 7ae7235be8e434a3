import type { ModelMessage } from "ai";
import type { ToolDefinition } from "../graph/mod.ts";
import type { CallOptions, Model, Note, Reply, RespondInput } from "../models/mod.ts";
import type { EndReason } from "../transcript/mod.ts";
import type { JsonObject } from "../values/mod.ts";
import type { Budget, Exceeded, Spent } from "./budget.ts";
import type { SteeringQueue } from "./steering.ts";
import type { ToolAnswer, ToolSources } from "./tool_answer.ts";

/** How a turn ended. */
export type TurnOutcome =
  | { readonly kind: "answered"; readonly text: string; readonly isCut?: true }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "aborted"; readonly endReason: EndReason; readonly reason: string; readonly exceeded?: Exceeded };

/** A tool call that was made in a turn, with what it came to. */
export interface ExecutedCall extends ToolAnswer {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly durationMs: number;
}

/** What happens in a turn, told to whoever keeps the transcript. */
export interface TurnEvents {
  /** A tool has answered. */
  readonly onToolCall: (call: ExecutedCall) => void;
  /** Text that came along with tool calls: the caller never hears it. */
  readonly onUnspoken: (text: string) => void;
  /** A message of the steering queue was given to the model. */
  readonly onSteering: (text: string) => void;
}

/** A reply that was requested before it was known whether it would be needed. */
export interface ReplyAhead {
  readonly reply: Promise<Reply>;
  /** What it has cost so far, which the call has counted. */
  readonly spent: Spent;
  /** Streams the text so far, and from then on each token. */
  readonly tell: () => void;
  /** Cancels the request. */
  readonly discard: () => void;
}

/** The one state that all nodes of the turn graph share. */
export interface TurnState {
  readonly model: Model;
  readonly instructions: string;
  /** What happened beside the conversation, for the model alone; `prepare` adds steering messages. */
  notes?: readonly Note[];
  readonly input: RespondInput;
  readonly tools: readonly ToolDefinition[];
  readonly sources: ToolSources;
  readonly steering: SteeringQueue;
  readonly budget: Budget;
  /** Counted by `call.onUsage`. */
  readonly spentInCall: Spent;
  readonly spentInTurn: Spent;
  /** Abort signal, time limit and who counts, for each model call. */
  readonly call: CallOptions;
  readonly events: TurnEvents;
  /** The model's first answer, where it was requested before the turn began. The call has counted its cost. */
  replyAhead: ReplyAhead | undefined;
  /** What the model sees: the conversation, and this turn's tool calls and results. */
  readonly messages: ModelMessage[];
  /** The model's latest answer, until `reconcile` has dealt with it. */
  reply: Reply;
  executed: ExecutedCall[];
  /** Keys of the calls that failed in the step before. */
  failedBefore: ReadonlyMap<string, string>;
  nudges: number;
  /** Set once, by `prepare` or `reconcile`; routing reads nothing else. */
  outcome: TurnOutcome | undefined;
}
