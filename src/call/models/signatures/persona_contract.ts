import type * as v from "valibot";
import { contractOf } from "../output_contract.ts";
import type { OutputContract } from "../signature.ts";

/** Maximum length of a persona, in characters: it is sent with every turn of its caller. */
const LONGEST_PERSONA = 2_000;
const LONGEST_NAME = 80;

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
