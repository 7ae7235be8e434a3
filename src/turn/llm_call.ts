import { callForReply } from "../models/mod.ts";
import { count } from "./budget.ts";
import type { TurnState } from "./state.ts";

/** Asks the model for the agent's next words, or for the tools it wants called first. */
export async function llmCall(state: TurnState): Promise<void> {
  const { prepared } = state;
  if (prepared) {
    state.prepared = undefined;
    prepared.tell();
    try {
      state.reply = await prepared.reply;
    } finally {
      state.spentInTurn.modelCalls += prepared.spent.modelCalls;
      state.spentInTurn.tokens += prepared.spent.tokens;
      state.spentInTurn.costUsd += prepared.spent.costUsd;
    }
    return;
  }
  state.reply = await callForReply(
    state.model,
    {
      instructions: state.instructions,
      notes: state.notes ?? [],
      messages: state.messages,
      input: { ...state.input },
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
