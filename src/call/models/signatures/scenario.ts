import * as v from "valibot";
import type { Signature } from "../signature.ts";
import { history } from "./history.ts";
import { personaContract } from "./persona_contract.ts";

const input = v.object({
  agent: v.pipe(v.string(), v.description("Whom the caller reached: the agent's name and what it is told to do")),
  conversation_history: v.pipe(history, v.description("The call; user lines are the caller's")),
  facts: v.pipe(
    v.array(v.object({ name: v.string(), value: v.string() })),
    v.description("What the caller told, as it was said"),
  ),
});

const output = v.object({
  name: v.pipe(v.string(), v.description("What the caller wanted, in three to eight words, without personal data")),
  persona: v.pipe(v.string(), v.description("The persona, in the second person and in the caller's language")),
});

/** Input of the scenario call. */
export type ScenarioCallInput = v.InferOutput<typeof input>;
/** Output of the scenario call. */
export type ScenarioCallOutput = v.InferOutput<typeof output>;

/** Describes the caller of a call that happened, as a persona for a test. */
export const scenarioSignature: Signature<typeof input, ScenarioCallOutput> = {
  name: "scenario",
  instructions:
    'You turn a phone call that happened into a test: another caller will be played by your persona. Say in a few plain sentences who the caller is, what they want, what they know, how they speak and when they are satisfied, so that a person who plays it has the same reason to call and gives the same answers. State every given fact, with its value to the letter. Write to the player: "You are …". Use only what the caller said; do not mention what the agent should do, and do not copy its mistakes.',
  input,
  output: ({ facts }) => personaContract(output, facts),
};
