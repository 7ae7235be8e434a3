import { eitherSignal } from "../../../base/values/mod.ts";
import type { AgentNode } from "../../../document/graph/mod.ts";
import { callForReply } from "../../models/mod.ts";
import { count, exceededLimit, type Spent, startSpending } from "../../turn/mod.ts";
import type { CallState, NodeReplyAhead } from "../call/mod.ts";
import { modelOptions } from "../call/mod.ts";
import { replyRequest } from "./reply_request.ts";

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
