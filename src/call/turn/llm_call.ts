import { callForReply } from "../models/mod.ts";
import { count } from "./budget.ts";
import type { TurnState } from "./state.ts";

/** Requests a reply, or the tool calls that the model wants to make first. */
export async function llmCall(state: TurnState): Promise<void> {
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
