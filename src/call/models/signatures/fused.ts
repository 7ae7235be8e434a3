import * as v from "valibot";
import type { Signature } from "../signature.ts";
import { spokenText } from "../text/mod.ts";
import { history } from "./agent.ts";
import { decision, decisionContracts, offer, optionalReasoning } from "./decision.ts";

const fusedInput = v.object({
  general_instructions: v.pipe(v.string(), v.description("What holds for the whole agent")),
  current_state_prompt: v.pipe(v.string(), v.description("What the agent is to achieve in the current state")),
  conversation_history: v.pipe(history, v.description("The call so far, oldest first")),
  state_history: v.pipe(history, v.description("The part of it that took place in the current state")),
  available_transitions: v.pipe(
    v.array(
      v.object({
        ...offer,
        instructions: v.string(),
      }),
    ),
    v.description("The moves on offer, each with its condition and with what the agent is to do after it"),
  ),
});

const reply = v.pipe(
  v.string(),
  v.description("What the agent says next, as spoken on the phone, in the state it is in after the decision"),
);
const output = v.object({
  ...optionalReasoning,
  ...decision,
  reply: v.pipe(
    v.string(),
    v.transform((text) => spokenText(text)),
  ),
});

/** Input of the fused call. */
export type FusedInput = v.InferOutput<typeof fusedInput>;
/** Output of the fused call. */
export type FusedOutput = v.InferOutput<typeof output>;

const contractOf = decisionContracts({ reply }, output);

/** Decides on a transition and writes the reply of the resulting node, in one request. */
export const fusedSignature: Signature<typeof fusedInput, FusedOutput> = {
  name: "fused",
  instructions:
    "You are a voice agent on a phone call, moving between states. First judge, by the current state's history alone, whether it has reached its objectives: a question of the agent that the caller has not taken up is an unmet objective, and then the agent stays. Then pick the transition whose condition the conversation meets, or none. Then say the agent's next words by the instructions of the state it is in now: the picked transition's, or the current state's when it stays. Short, spoken sentences without markup, and nothing else.",
  input: fusedInput,
  output: ({ available_transitions: offers }) => contractOf(offers),
};
