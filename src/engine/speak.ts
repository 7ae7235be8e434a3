import type { ModelMessage } from "ai";
import type { AgentNode } from "../graph/mod.ts";
import { type HistoryLine, RESPOND_INSTRUCTIONS } from "../models/mod.ts";
import { type ExecutedCall, runTurn, startSpending } from "../turn/mod.ts";
import { type CallState, end, expanded, record } from "./call_state.ts";
import { historyOf, lastIndexOf } from "./history.ts";
import { modelOptions } from "./model_options.ts";
import { storeResponse } from "./silent_work.ts";
import { recordToolCall } from "./tool_record.ts";

/**
 * Has a node say its next words: a static text to the letter the first time after each entry, else what one respond
 * turn comes to.
 *
 * @returns The tools that were called on the way; nothing was said when the call has ended.
 */
export async function speak(state: CallState, node: AgentNode): Promise<readonly ExecutedCall[]> {
  const prompt = expanded(state, node.state_prompt);
  const first = !state.spokenHere;
  state.spokenHere = true;
  if (first && node.instruction_type === "static_text" && prompt.trim()) {
    record(state, "assistant", prompt);
    return [];
  }
  return await respond(state, node, prompt);
}

async function respond(state: CallState, node: AgentNode, prompt: string): Promise<readonly ExecutedCall[]> {
  const general = expanded(state, state.graph.source_metadata.general_prompt);
  const executed: ExecutedCall[] = [];
  const lastUser = lastIndexOf(state.transcript, "user");
  const before = state.transcript.filter((_, index) => index !== lastUser);
  const options = modelOptions(state);
  const outcome = await runTurn({
    model: await state.agent(),
    instructions: [RESPOND_INSTRUCTIONS, general, prompt].filter(Boolean).join("\n\n"),
    input: {
      general_instructions: general,
      state_instructions: prompt,
      conversation_history: historyOf(before),
      user_message: state.transcript[lastUser]?.content ?? "",
    },
    tools: node.tools,
    sources: state.sources,
    steering: state.steering,
    budget: state.budget,
    spentInCall: state.spent,
    spentInTurn: startSpending(),
    call: options,
    events: {
      onToolCall: (call) => {
        executed.push(call);
        const { id: _id, ...rest } = call;
        recordToolCall(state, rest);
        const tool = node.tools.find(({ name }) => name === call.name);
        if (tool && call.outcome === "succeeded") storeResponse(state, tool, call.result);
      },
      onUnspoken: (text) => record(state, "system", text, { spoken: false }),
      onSteering: (text) => record(state, "system", text, { kind: "steering" }),
    },
    messages: messagesOf(historyOf(state.transcript)),
    reply: { text: "", toolCalls: [] },
    executed: [],
    failedBefore: new Map(),
    nudges: 0,
    outcome: undefined,
  });
  if (outcome.kind === "answered") record(state, "assistant", outcome.text);
  else if (outcome.kind === "failed") end(state, "failed", outcome.reason);
  else end(state, outcome.endReason, outcome.reason);
  return executed;
}

/** A call's lines as chat messages that end with somebody else's: models answer the last one. */
function messagesOf(history: readonly HistoryLine[]): ModelMessage[] {
  const messages: ModelMessage[] = history.map(({ role, content }) =>
    role === "tool" ? { role: "user", content: `(Tool, not heard by the caller: ${content})` } : { role, content },
  );
  if (messages.length === 0) return [{ role: "user", content: "(The call is connected. You speak first.)" }];
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: "(Go on.)" });
  return messages;
}
