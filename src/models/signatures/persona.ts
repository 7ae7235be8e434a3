import * as v from "valibot";
import { contractOf } from "../output_contract.ts";
import type { Signature } from "../signature.ts";

/** Longest persona, in characters: it is sent with every turn of its caller. */
const LONGEST = 2_000;

const input = v.object({
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
export type PersonaInput = v.InferOutput<typeof input>;
/** Output of the persona call. */
export type PersonaOutput = v.InferOutput<typeof output>;

/** Writes the persona of a generated scenario's caller. */
export const personaSignature: Signature<typeof input, PersonaOutput> = {
  name: "persona",
  instructions:
    'You write the persona of a caller who is played on the phone to test a voice agent. Say in a few plain sentences who the caller is, what they want and what they know, so that a person who plays it leads the call through the given moments, in their order, and nowhere else. State every fact that has a value, with the value to the letter, and when to say it. For a fact without a value, say that the caller does not know it. Write to the player: "You are …". Do not mention the agent\'s instructions, states or variables.',
  input,
  output: ({ facts }) => {
    const contract = contractOf(output);
    return {
      ...contract,
      read: (answer) => {
        const found = contract.read(answer);
        const problem = "output" in found ? problemOf(found.output, facts) : undefined;
        return problem ? { problem } : found;
      },
    };
  },
};

/** Returns the problem of a persona that is no use to a caller, or that leaves out a fact. */
function problemOf({ persona }: PersonaOutput, facts: PersonaInput["facts"]): string | undefined {
  if (persona.trim() === "") return "persona: it is blank";
  if (persona.length > LONGEST) return `persona: it has more than ${LONGEST} characters`;
  const said = persona.toLowerCase();
  const missing = facts.find(({ value }) => value !== null && !said.includes(value.trim().toLowerCase()));
  return missing ? `persona: it does not state ${missing.name}, which is ${JSON.stringify(missing.value)}` : undefined;
}
