import { eitherSignal } from "../../base/values/mod.ts";
import type { AgentNode } from "../../document/graph/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import {
  type ChatMessage,
  callForReply,
  EVENTS,
  type HistoryLine,
  type Note,
  RESPOND_INSTRUCTIONS,
  type RespondInput,
} from "../models/mod.ts";
import { count, exceededLimit, type Spent, startSpending } from "../turn/mod.ts";
import { type CallState, expanded, modelOptions, type NodeReplyAhead } from "./call/mod.ts";

/**
 * Requests the current node's reply before it is known whether the call stays there. The request is the same as later.
 * Its tools are called only if the reply is used. A discarded reply still counts towards the call's cost, because the
 * provider charges for it. No reply is requested when the budget only has room for the decision.
 */
export async function startReplyAhead(state: CallState, node: AgentNode): Promise<void> {
  const withDecision = { ...state.spent, modelCalls: state.spent.modelCalls + 1 };
  if (exceededLimit("call", state.budget.call, withDecision)) return;
  const giveUp = new AbortController();
  const options = modelOptions(state);
  const signal = eitherSignal(options.signal, giveUp.signal);
  const { input, ...request } = replyRequest(state, node);
  const tools = node.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: parameters ?? {},
  }));
  const { onToken } = state.listeners;
  const held = onToken && holdWords((text) => onToken({ text }));
  const spent = startSpending(state.calls.clock.now);
  const reply = callForReply(
    await state.agent(),
    { ...request, input: { ...input }, tools },
    {
      ...options,
      signal,
      ...(held ? { onToken: held.onToken } : {}),
      onUsage: (usage) => {
        count(spent, usage);
        options.onUsage(usage);
      },
    },
  );
  reply.catch(() => {}); // the taker of the reply gets the error; errors of discarded replies are ignored
  state.replyAhead = { node: node.id, reply, spent, release: () => held?.release(), discard: () => giveUp.abort() };
}

/** Keeps the reply of a fused call for the node that speaks next, with that call's cost. */
export function keepFusedReply(state: CallState, node: string, text: string, spent: Spent): void {
  if (!text.trim()) return;
  const release = () => state.listeners.onToken?.({ text });
  const reply = Promise.resolve({ text, toolCalls: [] });
  state.replyAhead = { node, reply, spent, release, discard: () => {}, decidedMs: spent.wallMs() };
}

/** Returns the speculative reply for a node; aborts a reply for any other node. */
export function takeReplyAhead(state: CallState, node: string): NodeReplyAhead | undefined {
  const { replyAhead } = state;
  state.replyAhead = undefined;
  if (replyAhead?.node === node) return replyAhead;
  replyAhead?.discard();
  return undefined;
}

/** Aborts a reply that was not used. */
export function dropReplyAhead(state: CallState): void {
  state.replyAhead?.discard();
  state.replyAhead = undefined;
}

/** Buffers tokens until the reply is used. */
function holdWords(onToken: (text: string) => void): {
  readonly onToken: typeof onToken;
  readonly release: () => void;
} {
  const waiting: string[] = [];
  let told = false;
  return {
    onToken: (text) => {
      if (told) onToken(text);
      else waiting.push(text);
    },
    release: () => {
      told = true;
      for (const text of waiting.splice(0)) onToken(text);
    },
  };
}

/** The parts of a reply request that depend on the node. */
export interface NodeRequest {
  readonly instructions: string;
  readonly notes: readonly Note[];
  readonly input: RespondInput;
  readonly messages: ChatMessage[];
}

/** The reply request for a node, from the current state of the call. */
export function replyRequest(state: CallState, node: AgentNode): NodeRequest {
  const general = expanded(state, state.graph.source_metadata.general_prompt);
  const prompt = expanded(state, node.state_prompt);
  const history = historyOf(state.transcript);
  const lastUser = lastIndexOf(history, "user");
  return {
    instructions: [RESPOND_INSTRUCTIONS, general, prompt].filter(Boolean).join("\n\n"),
    input: {
      general_instructions: general,
      state_instructions: prompt,
      conversation_history: lastUser < 0 ? history : history.toSpliced(lastUser, 1),
      user_message: history[lastUser]?.content ?? "",
    },
    notes: notesOf(history),
    messages: messagesOf(history),
  };
}

/** Tool results as notes, each with the number of caller messages before it. */
function notesOf(history: readonly HistoryLine[]): Note[] {
  const notes: Note[] = [];
  let heard = 0;
  for (const { role, content } of history) {
    if (role === "user") heard += 1;
    if (role === "tool") notes.push({ after_caller_line: heard, tool: content });
  }
  return notes;
}

/**
 * The conversation as chat messages. They start with a caller message, as some providers require, and end with one,
 * because models answer the last message. No message is empty, which some providers reject.
 */
function messagesOf(history: readonly HistoryLine[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const { role, content } of history) {
    if (role === "user") messages.push({ role, content: content.trim() ? content : EVENTS.silence });
    if (role === "assistant" && content.trim()) messages.push({ role, content });
  }
  if (messages[0]?.role !== "user") messages.unshift({ role: "user", content: EVENTS.connected });
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: EVENTS.goOn });
  return messages;
}

/** The messages that models see: speech and tool results, without transitions. */
export function historyOf(messages: readonly Message[]): HistoryLine[] {
  const lines: HistoryLine[] = [];
  for (const { role, content, metadata } of messages) {
    if (role === "system" || (role === "tool" && metadata.kind !== "tool_call")) continue;
    lines.push({ role, content });
  }
  return lines;
}

/** Index of the last message of a role, or -1. */
export function lastIndexOf(messages: readonly Pick<Message, "role">[], role: Message["role"]): number {
  return messages.findLastIndex((message) => message.role === role);
}
