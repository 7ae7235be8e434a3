import type { FusedInput, FusedOutput, TransitionInput, TransitionOutput } from "../signatures/mod.ts";
import { composeReply } from "./respond.ts";
import { pickTransition } from "./transition.ts";

/** Decides like a transition call, and replies like a respond call of the resulting node. */
export function decideAndReply(
  input: FusedInput,
  pick: (input: TransitionInput) => TransitionOutput = pickTransition,
): FusedOutput {
  const { general_instructions, current_state_prompt, conversation_history: history } = input;
  const decision = pick({
    current_state_prompt,
    conversation_history: input.state_history,
    last_agent_message: history.findLast(({ role }) => role === "assistant")?.content ?? "",
    available_transitions: input.available_transitions,
  });
  const picked = input.available_transitions.find(({ target }) => target === decision.transition_to);
  const moves = decision.objectives_complete && picked !== undefined;
  const lastUser = history.findLastIndex(({ role }) => role === "user");
  const reply = composeReply({
    general_instructions,
    state_instructions: moves ? picked.instructions : current_state_prompt,
    conversation_history: history.filter((_, index) => index !== lastUser),
    user_message: history[lastUser]?.content ?? "",
  });
  return { ...decision, reply };
}
