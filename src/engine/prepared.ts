import type { AgentNode } from "../graph/mod.ts";
import { callForReply } from "../models/mod.ts";
import { count, exceededLimit, type Spent, startSpending } from "../turn/mod.ts";
import type { CallState, PreparedReply } from "./call_state.ts";
import { modelOptions } from "./model_options.ts";
import { replyRequest } from "./reply_request.ts";

/**
 * Starts writing the current node's reply before it is known whether the call stays there: the same request as would
 * be made later. Tools that the reply wants are called only once it is used. What it costs counts for the call also when
 * it is thrown away, as the provider wants it paid; where only the decision is left to be paid, it is not asked for.
 */
export async function speculate(state: CallState, node: AgentNode): Promise<void> {
  const withDecision = { ...state.spent, modelCalls: state.spent.modelCalls + 1 };
  if (exceededLimit("call", state.budget.call, withDecision)) return;
  const giveUp = new AbortController();
  const options = modelOptions(state);
  const signal = options.signal ? AbortSignal.any([options.signal, giveUp.signal]) : giveUp.signal;
  const { input, ...request } = replyRequest(state, node);
  const tools = node.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: parameters ?? {},
  }));
  const held = state.listeners.onToken && holdWords(state.listeners.onToken);
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
        options.onUsage?.(usage);
      },
    },
  );
  reply.catch(() => {}); // whoever takes it hears of the failure; when nobody does, it is of no interest
  state.prepared = { node: node.id, reply, spent, tell: () => held?.tell(), discard: () => giveUp.abort() };
}

/** Keeps a reply that a fused call has written for the node that speaks next, with what that call cost. */
export function prepare(state: CallState, node: string, text: string, spent: Spent): void {
  if (!text.trim()) return;
  const tell = () => state.listeners.onToken?.(text);
  state.prepared = { node, reply: Promise.resolve({ text, toolCalls: [] }), spent, tell, discard: () => {} };
}

/** The reply that was written ahead for a node; one for any other node is given up. */
export function takePrepared(state: CallState, node: string): PreparedReply | undefined {
  const { prepared } = state;
  state.prepared = undefined;
  if (prepared?.node === node) return prepared;
  prepared?.discard();
  return undefined;
}

/** Gives up what nobody has taken. */
export function dropPrepared(state: CallState): void {
  state.prepared?.discard();
  state.prepared = undefined;
}

/** Keeps words back until it is known that they are spoken. */
function holdWords(onToken: (text: string) => void): { readonly onToken: typeof onToken; readonly tell: () => void } {
  const waiting: string[] = [];
  let told = false;
  return {
    onToken: (text) => {
      if (told) onToken(text);
      else waiting.push(text);
    },
    tell: () => {
      told = true;
      for (const text of waiting.splice(0)) onToken(text);
    },
  };
}
