import { callForReply } from "../models/mod.ts";
import type { TurnState } from "./state.ts";

/** Asks the model for the agent's next words, or for the tools it wants called first. */
export async function llmCall(state: TurnState): Promise<void> {
  const { prepared } = state;
  if (prepared) {
    state.prepared = undefined;
    state.reply = await prepared;
    return;
  }
  state.reply = await callForReply(
    state.model,
    {
      instructions: state.instructions,
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
        state.spentInTurn.modelCalls += 1;
        state.spentInTurn.tokens += usage.input_tokens + usage.output_tokens;
        state.spentInTurn.costUsd += usage.cost_usd ?? 0;
        state.call.onUsage?.(usage);
      },
    },
  );
}
