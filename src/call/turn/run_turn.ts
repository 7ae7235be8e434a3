import type { JsonObject } from "../../base/values/mod.ts";
import type { ToolDefinition } from "../../document/graph/mod.ts";
import type { EndReason } from "../../document/transcript/mod.ts";
import {
  type CallOptions,
  type ChatMessage,
  callForReply,
  EVENTS,
  type Model,
  type Note,
  type Reply,
  type RespondInput,
} from "../models/mod.ts";
import { type Budget, count, type Exceeded, exceededLimit, exceededText, type Spent, spentBefore } from "./budget.ts";
import type { CalledTool } from "./live_tool.ts";
import { answerToolCall, resultText, type ToolAnswer, type ToolSources, toolCallKey } from "./tool_answer.ts";

/**
 * Runs the turn graph, `prepare → llmCall → parse → execute → reconcile`, in a loop until an outcome is set.
 *
 * @throws {ModelError} When the model cannot be reached or its answer cannot be used.
 */
export async function runTurn(state: TurnState): Promise<TurnEnd> {
  for (;;) {
    prepare(state);
    if (state.outcome) return finish(state, state.outcome);
    await llmCall(state);
    parse(state);
    if (state.reply.toolCalls.length > 0) await execute(state);
    else state.executed = [];
    reconcile(state);
    if (state.outcome) return finish(state, state.outcome);
  }
}

/** Clears the reply and the executed calls, so that nothing runs again. */
function finish(state: TurnState, outcome: TurnEnd): TurnEnd {
  state.reply = { text: "", toolCalls: [] };
  state.executed = [];
  return outcome;
}

/** Adds queued steering messages and checks the budgets of the turn and the call. */
function prepare(state: TurnState): void {
  for (const text of state.steering.drain()) {
    state.notes = [...(state.notes ?? []), { direction: text }];
    state.events.onSteering(text);
    state.replyAhead?.discard();
    state.replyAhead = undefined; // written before the message arrived
  }
  if (state.call.signal?.aborted) {
    state.outcome = { kind: "aborted", endReason: "aborted", reason: "the call was aborted" };
    return;
  }
  // the cost of a speculative reply belongs to the model call that is checked here
  const { replyAhead, spentInCall } = state;
  const before = replyAhead ? spentBefore(spentInCall, replyAhead.spent) : spentInCall;
  const exceeded =
    exceededLimit("turn", state.budget.turn, state.spentInTurn) ?? exceededLimit("call", state.budget.call, before);
  if (!exceeded) return;
  replyAhead?.discard();
  state.outcome = { kind: "aborted", endReason: "budget_exceeded", reason: exceededText(exceeded), exceeded };
}

/** Adds the model's answer to the conversation. Text next to tool calls is kept but not spoken. */
function parse(state: TurnState): void {
  const { text, toolCalls } = state.reply;
  if (toolCalls.length === 0) return;
  if (text.trim()) state.events.onUnspoken(text);
  state.messages.push({
    role: "assistant",
    content: [
      ...(text.trim() ? [{ type: "text" as const, text }] : []),
      ...toolCalls.map((call) => ({
        type: "tool-call" as const,
        toolCallId: call.id,
        toolName: call.name,
        input: call.arguments,
      })),
    ],
  });
}

/** Requests a reply, or the tool calls that the model wants to make first. */
async function llmCall(state: TurnState): Promise<void> {
  const { replyAhead } = state;
  if (replyAhead) {
    state.replyAhead = undefined;
    replyAhead.release();
    try {
      state.reply = await replyAhead.reply;
    } finally {
      state.spentInTurn.modelCalls += replyAhead.spent.modelCalls;
      state.spentInTurn.tokens += replyAhead.spent.tokens;
      state.spentInTurn.costUsd += replyAhead.spent.costUsd;
    }
    return;
  }
  state.reply = await callForReply(
    state.model,
    {
      instructions: state.instructions,
      notes: state.notes ?? [],
      messages: state.messages,
      input: state.input,
      tools: state.tools.map(({ name, description, parameters }) => ({
        name,
        description,
        parameters: parameters ?? {},
      })),
    },
    {
      ...state.call,
      onUsage: (usage) => {
        count(state.spentInTurn, usage);
        state.call.onUsage?.(usage);
      },
    },
  );
}

/** How often a reply is requested again when it is empty. */
export const MOST_NUDGES = 3;

/** Ends the turn on an answer, a failure or an abort; otherwise the turn graph loops. */
function reconcile(state: TurnState): void {
  const { text, toolCalls, isCut } = state.reply;
  if (toolCalls.length === 0 && text.trim()) {
    state.outcome = { kind: "answered", text: text.trim(), ...(isCut ? { isCut } : {}) };
  } else if (toolCalls.length === 0) {
    nudge(state);
  } else {
    stopRepeatedFailure(state);
  }
  if (!state.outcome && state.call.signal?.aborted) {
    state.outcome = { kind: "aborted", endReason: "aborted", reason: "the call was aborted" };
  }
}

function nudge(state: TurnState): void {
  if (state.nudges >= MOST_NUDGES) {
    state.outcome = { kind: "failed", reason: `the model said nothing ${state.nudges + 1} times` };
    return;
  }
  state.nudges += 1;
  state.messages.push({ role: "user", content: EVENTS.nothingSaid });
}

/** Fails the turn when the same tool call fails in two steps in a row: the model would repeat it. */
function stopRepeatedFailure(state: TurnState): void {
  const failed = new Map<string, string>();
  for (const call of state.executed) {
    if (call.outcome === "failed") failed.set(toolCallKey(call.name, call.arguments), resultText(call.result));
  }
  for (const [key, error] of failed) {
    if (!state.failedBefore.has(key)) continue;
    state.outcome = { kind: "failed", reason: `${key} failed twice: ${error}` };
    return;
  }
  state.failedBefore = failed;
}

/** Maximum length of a tool result for the model, in characters. */
const MOST_SEEN = 8_000;

/** Calls the tools concurrently and adds their results in the order of the calls. */
async function execute(state: TurnState): Promise<void> {
  const { toolCalls } = state.reply;
  const { wallMs } = state.spentInTurn;
  const startedMs = wallMs();
  const answers = await Promise.allSettled(
    toolCalls.map(async (call): Promise<ExecutedCall> => {
      const answer = await answerToolCall(toolOf(state, call.name), call.arguments, state.sources);
      return { ...call, ...answer, durationMs: wallMs() - startedMs };
    }),
  );
  state.events.onToolsAnswered?.(wallMs() - startedMs);
  state.executed = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  for (const call of state.executed) state.events.onToolCall(call);
  // an abort rejects; calls that finished before it were reported above
  for (const answer of answers) if (answer.status === "rejected") throw answer.reason;
  state.messages.push({
    role: "tool",
    content: state.executed.map((call) => ({
      type: "tool-result" as const,
      toolCallId: call.id,
      toolName: call.name,
      output: {
        type: call.outcome === "failed" ? ("error-text" as const) : ("text" as const),
        value: seen(call.result),
      },
    })),
  });
}

/** Finds a tool by name. An unknown name fails later as `unmocked-tool`. */
function toolOf(state: TurnState, name: string): CalledTool {
  return state.tools.find((tool) => tool.name === name) ?? { name };
}

function seen(result: unknown): string {
  const text = resultText(result);
  return text.length > MOST_SEEN ? `${text.slice(0, MOST_SEEN)} … (${text.length} characters)` : text;
}

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

/** A queue of messages for the model, delivered before its next step. */
export interface SteeringQueue {
  /** Adds a message. */
  push(text: string): void;
  /** Removes and returns the messages for the next step: the oldest, or all. */
  drain(): readonly string[];
  /** Messages that are still waiting, oldest first. */
  readonly waiting: readonly string[];
}

/**
 * @param mode `one` delivers one message per step, `all` the whole queue.
 * @param messages Messages that wait already.
 */
export function createSteeringQueue(mode: "one" | "all" = "all", messages: readonly string[] = []): SteeringQueue {
  const waiting = [...messages];
  return {
    waiting,
    push: (text) => void waiting.push(text),
    drain: () => waiting.splice(0, mode === "one" ? 1 : waiting.length),
  };
}
