import * as v from "valibot";
import { contractOf, type OutputContract, type Signature } from "../signature.ts";
import { history } from "./agent.ts";

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

/** Maximum length of a persona, in characters: it is sent with every turn of its caller. */
const LONGEST_PERSONA = 2_000;

const LONGEST_NAME = 80;

/** Describes the caller of a call that happened, as a persona for a test. */
export const scenarioSignature: Signature<typeof input, ScenarioCallOutput> = {
  name: "scenario",
  instructions:
    'You turn a phone call that happened into a test: another caller will be played by your persona. Say in a few plain sentences who the caller is, what they want, what they know, how they speak and when they are satisfied, so that a person who plays it has the same reason to call and gives the same answers. State every given fact, with its value to the letter. Write to the player: "You are …". Use only what the caller said; do not mention what the agent should do, and do not copy its mistakes.',
  input,
  output: ({ facts }) => personaContract(output, facts),
};

/** Facts about a caller. A value of `null` is one that the caller does not tell. */
export interface CallerFact {
  readonly name: string;
  readonly value: string | null;
}

/** The contract of an answer with a persona: it must suit a simulated caller, and contain every fact verbatim. */
export function personaContract<Output extends { readonly persona: string; readonly name?: string }>(
  output: v.GenericSchema<unknown, Output>,
  facts: readonly CallerFact[],
): OutputContract<Output> {
  const contract = contractOf(output);
  return {
    ...contract,
    read: (answer) => {
      const found = contract.read(answer);
      const problem = "output" in found ? problemOf(found.output, facts) : undefined;
      return problem ? { problem } : found;
    },
  };
}

function problemOf(
  { name, persona }: { readonly persona: string; readonly name?: string },
  facts: readonly CallerFact[],
): string | undefined {
  if (name?.trim() === "") return "name: it is blank";
  if (name !== undefined && name.length > LONGEST_NAME) return `name: it has more than ${LONGEST_NAME} characters`;
  if (persona.trim() === "") return "persona: it is blank";
  if (persona.length > LONGEST_PERSONA) return `persona: it has more than ${LONGEST_PERSONA} characters`;
  const said = persona.toLowerCase();
  const missing = facts.find(({ value }) => value !== null && !said.includes(value.trim().toLowerCase()));
  return missing ? `persona: it does not state ${missing.name}, which is ${JSON.stringify(missing.value)}` : undefined;
}
