import * as v from "valibot";
import { isRecord } from "../../../base/values/mod.ts";
import { foldedTarget, foundTarget, type JsonSchema } from "../../../document/graph/mod.ts";
import { contractOf, type OutputContract } from "../signature.ts";

/** Schema of an offered transition, shared by all deciding calls. */
export const offer = {
  target: v.string(),
  condition: v.string(),
  condition_type: v.picklist(["llm_prompt", "global", "go_back"]),
  description: v.string(),
} as const;

/** The value of `transition_to` when nothing is picked. */
export const NO_TRANSITION = "none";

const TARGET = "The target of the one transition whose condition is met, to the letter; none when no condition is";
const reasoning = v.pipe(v.string(), v.description("Why, in one short sentence about what was said"));

/** Output of a decision: the reasoning, whether the objectives are complete, and the target. */
export const decision = {
  objectives_complete: v.pipe(
    v.boolean(),
    v.description(
      "Whether the caller has answered what the agent asked for in this state; true as well when they want something else that a transition covers",
    ),
  ),
  transition_to: v.pipe(v.string(), v.description(TARGET)),
} as const;

/** The reasoning; servers without structured output may omit it. */
export const optionalReasoning = { reasoning: v.optional(v.fallback(v.string(), "")) } as const;

interface Decided {
  readonly objectives_complete: boolean;
  readonly transition_to: string;
}

/**
 * Returns a function that creates the contract of a decision between offers. The schema lets the model pick an offered
 * transition or none. A pick that was not offered is a problem, so the model is called again; if it insists, no
 * transition is taken.
 *
 * @param more Fields that the model returns after the decision.
 * @param output Validates the whole answer.
 */
export function decisionContracts<Output extends Decided>(
  more: v.ObjectEntries,
  output: v.GenericSchema<unknown, Output>,
): (offers: readonly { readonly target: string }[]) => OutputContract<Output> {
  const asked = v.object({ reasoning, ...decision, ...more });
  return (offers) => {
    const contract = contractOf(output, asked);
    if (offers.length === 0) return contract;
    const targets = [...new Set([...offers.map(({ target }) => target), NO_TRANSITION])];
    return {
      ...contract,
      schema: withChoices(contract.schema, targets),
      read: (answer) => {
        const found = contract.read(answer);
        if (!("output" in found) || !isOutside(found.output, targets)) return found;
        const { transition_to } = found.output;
        return { ...found, problem: `transition_to: "${transition_to}" was not offered` };
      },
    };
  };
}

/** Restricts `transition_to` to the targets. */
function withChoices(schema: JsonSchema, targets: readonly string[]): JsonSchema {
  const { properties } = schema;
  if (!isRecord(properties) || !isRecord(properties.transition_to)) return schema;
  return { ...schema, properties: { ...properties, transition_to: { enum: targets, ...properties.transition_to } } };
}

/**
 * Whether a decision picks a target that was not offered. An empty target with incomplete objectives counts as none.
 */
function isOutside({ objectives_complete, transition_to }: Decided, targets: readonly string[]): boolean {
  if (!objectives_complete && foldedTarget(transition_to) === "") return false;
  return foundTarget(targets, transition_to) === undefined;
}
