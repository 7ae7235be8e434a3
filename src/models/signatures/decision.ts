import * as v from "valibot";
import { contractOf } from "../output_contract.ts";
import type { OutputContract } from "../signature.ts";

/** The parts that every call which decides on a transition has in common. */
export const offer = {
  target: v.string(),
  condition: v.string(),
  condition_type: v.picklist(["llm_prompt", "global", "go_back"]),
  description: v.string(),
} as const;

/** What a decision picks when it picks nothing. */
export const NO_TRANSITION = "none";

const TARGET = "The target of the one transition whose condition is met, to the letter; none when no condition is";
const reasoning = v.pipe(v.string(), v.description("Why, in one short sentence about what was said"));

/** What it answers: why, then whether the state is done with, then where to go. */
export const decision = {
  objectives_complete: v.pipe(
    v.boolean(),
    v.description(
      "Whether the caller has answered what the agent asked for in this state; true as well when they want something else that a transition covers",
    ),
  ),
  transition_to: v.pipe(v.string(), v.description(TARGET)),
} as const;

/** The reasoning as it is read: servers that know no schemas may leave it out. */
export const optionalReasoning = { reasoning: v.optional(v.fallback(v.string(), "")) } as const;

interface Decided {
  readonly objectives_complete: boolean;
  readonly transition_to: string;
}

/**
 * The contract of a decision. Its schema lets the model pick what was offered, or none. An answer that picks something
 * else is unusable, so the model is asked again; where it insists, nothing is picked.
 *
 * @param more What the model answers after the decision.
 * @param output How the whole answer is read.
 */
export function decisionContract<Output extends Decided>(
  offers: readonly { readonly target: string }[],
  more: v.ObjectEntries,
  output: v.GenericSchema<unknown, Output>,
): OutputContract<Output> {
  const targets = [...new Set([...offers.map(({ target }) => target), NO_TRANSITION])];
  const pick = offers.length > 0 ? v.pipe(v.picklist(targets), v.description(TARGET)) : decision.transition_to;
  const contract = contractOf(output, v.object({ reasoning, ...decision, transition_to: pick, ...more }));
  return {
    ...contract,
    read: (answer) => {
      const found = contract.read(answer);
      if (!("output" in found) || offers.length === 0 || !isOutside(found.output, targets)) return found;
      const { transition_to } = found.output;
      return { ...found, problem: `transition_to: "${transition_to}" was not offered` };
    },
  };
}

/** Whether a decision picks what was not offered; an empty pick beside unmet objectives is none. */
function isOutside({ objectives_complete, transition_to }: Decided, targets: readonly string[]): boolean {
  const folded = transition_to.trim().toLowerCase();
  if (!objectives_complete && folded === "") return false;
  return !targets.some((target) => target.trim().toLowerCase() === folded);
}
