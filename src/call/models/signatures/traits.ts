import * as v from "valibot";
import { contractOf, type Signature } from "../signature.ts";
import { explanation, history } from "./agent.ts";

const traitsInput = v.object({
  persona: v.pipe(v.string(), v.description("Who the simulated caller is, what they know and how they talk")),
  traits: v.pipe(
    v.array(v.object({ trait: v.string(), shows: v.string() })),
    v.description("The traits that the caller must show, and what shows each"),
  ),
  conversation_history: v.pipe(
    history,
    v.description("The call; user lines are the caller's, assistant lines the agent's"),
  ),
});

const ruling = v.object({
  trait: v.pipe(v.string(), v.description("The trait, as it is given")),
  shown: v.pipe(v.boolean(), v.description("Whether the caller's lines show it")),
  had_occasion: v.pipe(
    v.boolean(),
    v.description("Whether the call gave the caller an occasion to show it; true if it did show it"),
  ),
  quote: v.pipe(
    v.string(),
    v.description("The caller's words that show it best, to the letter; empty if nothing does"),
  ),
  reasoning: v.pipe(v.string(), v.description("Why, in one sentence")),
});
const asked = v.object({ traits: v.pipe(v.array(ruling), v.description("One ruling for each trait, in their order")) });

/** Models without structured output omit what only explains. */
const output = v.object({ traits: v.array(v.object({ ...ruling.entries, reasoning: explanation })) });

/** Input of the traits call. */
export type TraitsInput = v.InferOutput<typeof traitsInput>;
/** Output of the traits call. */
export type TraitsOutput = v.InferOutput<typeof output>;

/** Checks whether a simulated caller shows its traits. */
export const traitsSignature: Signature<typeof traitsInput, TraitsOutput> = {
  name: "traits",
  instructions:
    "You check the simulated caller of a test call, not the agent. The caller was told to have some traits. Decide for each of them whether the caller's lines show it. Judge only what the caller says and how: a caller that is told to be angry and answers politely does not show it. What the agent says shows nothing. If the call gave no occasion for a trait, say so.",
  input: traitsInput,
  output: ({ traits }) => {
    const { schema, strict, read } = contractOf(output, asked);
    return {
      schema,
      strict,
      read: (answer) => {
        const result = read(answer);
        if (!("output" in result)) return result;
        const left = traits.filter(({ trait }) => !result.output.traits.some((each) => each.trait === trait));
        return left.length === 0
          ? result
          : { problem: `it has no ruling for ${left.map(({ trait }) => trait).join(", ")}` };
      },
    };
  },
};
