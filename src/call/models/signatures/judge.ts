import * as v from "valibot";
import { contractOf, type Signature } from "../signature.ts";
import { explanation, history, optionalShare } from "./agent.ts";

const judgeInput = v.object({
  criteria: v.pipe(
    v.array(v.object({ number: v.number(), criterion: v.string() })),
    v.description("What must hold of the call, numbered"),
  ),
  languages: v.optional(
    v.pipe(
      v.array(v.string()),
      v.description(
        "The languages that the call is in, the main one first. Judge what is meant in them, and quote in them; restate and reason in the language of the criterion",
      ),
    ),
  ),
  transcript: v.pipe(history, v.description("What the caller heard and said; assistant lines are the agent's")),
});

/** Schema of a quotation from one line, with its speaker. */
export const quote = v.object({
  role: v.pipe(v.picklist(["assistant", "user"]), v.description("The role of the line that is quoted")),
  quote: v.pipe(v.string(), v.description("Words of this one line, to the letter")),
});
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

const number = v.pipe(v.number(), v.description("The criterion's number"));
const requirement = v.pipe(
  v.string(),
  v.description("The criterion restated as what the agent must do or must not do"),
);
const claims = v.pipe(
  v.picklist(["presence", "absence"]),
  v.description(
    "absence: the requirement is met when something is not said or not done, so that no words of the call can show it; presence: words of the call show it",
  ),
);
const evidence = v.pipe(
  v.array(quote),
  v.description("The words of the transcript that decide it, a quotation for each line; empty when there are none"),
);
const textLines = v.pipe(
  v.array(v.string()),
  v.transform((lines) => lines.join("\n")),
);
const ruling = {
  reasoning: v.pipe(v.string(), v.description("Why these words meet the requirement or not, in a sentence or two")),
  score: v.pipe(share, v.description("How far the requirement is met: 0 not at all, 1 wholly")),
  confidence: v.pipe(share, v.description("How sure the judgement is: 0 a guess, 1 certain")),
} as const;

/**
 * Schema that validates answers. Models without structured output return evidence as text, which quotes the agent unless
 * it names the caller, and omit keys that only explain.
 */
const output = v.object({
  verdicts: v.array(
    v.object({
      number,
      requirement: explanation,
      claims: v.optional(v.fallback(v.optional(claims), undefined)),
      evidence: v.nullish(v.union([evidence, v.string(), textLines]), () => []),
      reasoning: explanation,
      score: share,
      confidence: optionalShare,
    }),
  ),
});

/** The requested schema, with one verdict for each criterion. */
function asked(criteria: JudgeInput["criteria"]) {
  const numbered = v.pipe(v.picklist(criteria.map((each) => each.number)), v.description("The criterion's number"));
  const verdict = v.object({ number: numbered, requirement, claims, evidence, ...ruling });
  return v.object({ verdicts: v.pipe(v.array(verdict), v.length(criteria.length)) });
}

/** Input of the judge call. */
export type JudgeInput = v.InferOutput<typeof judgeInput>;
/** Output of the judge call. */
export type JudgeOutput = v.InferOutput<typeof output>;
/** A quotation from one message, with its speaker. */
export type Quotation = v.InferOutput<typeof quote>;

/** Judges a call by all criteria of a scenario at once. */
export const judgeSignature: Signature<typeof judgeInput, JudgeOutput> = {
  name: "judge",
  instructions:
    "You judge a phone call between a caller and a voice agent by the given criteria, each on its own and by nothing else. For each: restate it as a requirement, say whether it claims a presence or an absence, quote the words of the transcript that decide it with the role of the line they stand in, reason, then score. A line's role is what its JSON says; a name at the beginning of its content is part of what was said. Judge the agent, not the caller. What cannot be seen in the transcript has not happened. Answer for every criterion, in order.",
  input: judgeInput,
  output: ({ criteria }) => {
    const contract = contractOf(output, asked(criteria));
    return {
      ...contract,
      read: (answer) => {
        const found = contract.read(answer);
        const problem = "output" in found ? numberingProblem(found.output, criteria) : undefined;
        return problem ? { problem } : found;
      },
    };
  },
};

/** Returns the problem of an answer that does not have exactly one verdict per criterion. */
function numberingProblem({ verdicts }: JudgeOutput, criteria: JudgeInput["criteria"]): string | undefined {
  const judged = new Map<number, number>();
  for (const { number } of verdicts) judged.set(number, (judged.get(number) ?? 0) + 1);
  const asked = new Set(criteria.map(({ number }) => number));
  const problems = [
    ...[...judged.keys()].filter((number) => !asked.has(number)).map((number) => `there is no criterion ${number}`),
    ...[...asked].filter((number) => !judged.has(number)).map((number) => `criterion ${number} is not judged`),
    ...[...asked]
      .filter((number) => (judged.get(number) ?? 0) > 1)
      .map((number) => `criterion ${number} is judged twice`),
  ];
  return problems.length > 0 ? problems.join("; ") : undefined;
}
