import * as v from "valibot";
import type { Signature } from "../signature.ts";
import { personaContract } from "./scenario.ts";

const personaInput = v.object({
  agent: v.pipe(v.string(), v.description("Whom the caller reaches: the agent's name and what it is told to do")),
  moments: v.pipe(
    v.array(v.object({ agent_is_told: v.string(), comes_true: v.string() })),
    v.description("What happens in the call, in this order: what the agent is told to do, then what must come true"),
  ),
  facts: v.pipe(
    v.array(v.object({ name: v.string(), meaning: v.string(), value: v.nullable(v.string()) })),
    v.description("What holds of the caller; null: the caller does not know it or does not say it"),
  ),
});

const output = v.object({
  persona: v.pipe(v.string(), v.description("The persona, in the second person and in the language of the agent")),
});

/** Input of the persona call. */
export type PersonaInput = v.InferOutput<typeof personaInput>;
/** Output of the persona call. */
export type PersonaOutput = v.InferOutput<typeof output>;

/** Writes the persona of a generated scenario's caller. */
export const personaSignature: Signature<typeof personaInput, PersonaOutput> = {
  name: "persona",
  instructions:
    'You write the persona of a caller who is played on the phone to test a voice agent. Say in a few plain sentences who the caller is, what they want and what they know, so that a person who plays it leads the call through the given moments, in their order, and nowhere else. State every fact that has a value, with the value to the letter, and when to say it. For a fact without a value, say that the caller does not know it. Write to the player: "You are …". Do not mention the agent\'s instructions, states or variables.',
  input: personaInput,
  output: ({ facts }) => personaContract(output, facts),
};
