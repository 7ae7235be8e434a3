import * as v from "valibot";
import type { Signature } from "../signature.ts";
import { decision, decisionContracts, offer, optionalReasoning } from "./decision.ts";
import { history } from "./history.ts";

const input = v.object({
  current_state_prompt: v.pipe(v.string(), v.description("What the agent is to achieve in the current state")),
  conversation_history: v.pipe(history, v.description("What was said and done in this state, oldest first")),
  last_agent_message: v.pipe(v.string(), v.description("What the agent said last; empty: nothing yet")),
  available_transitions: v.pipe(
    v.array(
      v.object({
        ...offer,
      }),
    ),
    v.description("The moves on offer, each with the condition under which it is right"),
  ),
});

const output = v.object({ ...optionalReasoning, ...decision });

/** Input of the transition call. */
export type TransitionInput = v.InferOutput<typeof input>;
/** Output of the transition call. */
export type TransitionOutput = v.InferOutput<typeof output>;

const contractOf = decisionContracts({}, output);

/** Chooses the transition whose condition the call meets, or none. */
export const transitionSignature: Signature<typeof input, TransitionOutput> = {
  name: "transition",
  instructions:
    "You route a phone call between the states of a voice agent. First judge whether the current state has reached its objectives: a question of the agent that the caller has not taken up is an unmet objective. Then pick the transition whose condition the conversation meets. Conditions are about what has been said, not about what might be said next. When no condition is met, answer none.",
  input,
  output: ({ available_transitions: offers }) => contractOf(offers),
};
