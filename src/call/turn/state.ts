import type { JsonObject } from "../../base/values/mod.ts";
import type { ToolDefinition } from "../../document/graph/mod.ts";
import type { EndReason } from "../../document/transcript/mod.ts";
import type { CallOptions, ChatMessage, Model, Note, Reply, RespondInput } from "../models/mod.ts";
import type { Budget, Exceeded, Spent } from "./budget.ts";
import type { ToolAnswer } from "./recorded_tools.ts";
import type { SteeringQueue } from "./steering.ts";
import type { ToolSources } from "./tool_answer.ts";

/** How a turn ended. */
export type TurnEnd =
  | { readonly kind: "answered"; readonly text: string; readonly isCut?: true }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "aborted"; readonly endReason: EndReason; readonly reason: string; readonly exceeded?: Exceeded };

/** A tool call of a turn, with its result. */
export interface ExecutedCall extends ToolAnswer {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly durationMs: number;
}

/** Callbacks of a turn, for the transcript. */
export interface TurnEvents {
  /** Called with each tool call and its result. */
  readonly onToolCall: (call: ExecutedCall) => void;
  /** Called with the time in milliseconds that all tools of a step took together. */
  readonly onToolsAnswered?: (ms: number) => void;
  /** Called with text next to tool calls, which the caller does not hear. */
  readonly onUnspoken: (text: string) => void;
  /** Called with each steering message that the model receives. */
  readonly onSteering: (text: string) => void;
}

/** A speculative reply: requested before it is known whether it is needed. */
export interface ReplyAhead {
  readonly reply: Promise<Reply>;
  /** Usage so far. The call has counted it. */
  readonly spent: Spent;
  /** Streams the text so far, then each new token. */
  readonly release: () => void;
  /** Aborts the request. */
  readonly discard: () => void;
}

/** The state that all steps of the turn graph share. */
export interface TurnState {
  readonly model: Model;
  readonly instructions: string;
  /** Notes for the model only; `prepare` adds steering messages. */
  notes?: readonly Note[];
  readonly input: RespondInput;
  readonly tools: readonly ToolDefinition[];
  readonly sources: ToolSources;
  readonly steering: SteeringQueue;
  readonly budget: Budget;
  /** Usage of the call; `call.onUsage` adds to it. */
  readonly spentInCall: Spent;
  readonly spentInTurn: Spent;
  /** Options of each model call: abort signal, time limit, usage counting. */
  readonly call: CallOptions;
  readonly events: TurnEvents;
  /** The model's first answer if it was requested before the turn started. The call has counted its usage. */
  replyAhead: ReplyAhead | undefined;
  /** Messages for the model: the conversation, and the tool calls and results of this turn. */
  readonly messages: ChatMessage[];
  /** The model's latest answer, until `reconcile` has handled it. */
  reply: Reply;
  executed: ExecutedCall[];
  /** Errors of the calls that failed in the previous step, by call. */
  failedBefore: ReadonlyMap<string, string>;
  nudges: number;
  /** Set by `prepare` or `reconcile`; ends the loop. */
  outcome: TurnEnd | undefined;
}
