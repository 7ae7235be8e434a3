import * as v from "valibot";
import { contractOf, type Signature } from "../signature.ts";
import { explanation } from "./agent.ts";

const repliesInput = v.object({
  criteria: v.pipe(
    v.array(v.object({ number: v.number(), criterion: v.string() })),
    v.description("What must hold of a reply, numbered"),
  ),
  replies: v.pipe(
    v.array(v.object({ number: v.number(), criteria: v.array(v.number()), heard: v.string(), reply: v.string() })),
    v.description(
      "Replies of the agent in the order of the call, each with what the caller said before it, and the numbers of the criteria to judge it by",
    ),
  ),
});

const explained = v.pipe(v.string(), v.description("Why, in at most one short sentence"));

/** Schema that validates answers; models without structured output omit what only explains. */
const output = v.object({
  rulings: v.array(
    v.object({
      reply: v.number(),
      criterion: v.number(),
      met: v.boolean(),
      quote: explanation,
      reasoning: explanation,
    }),
  ),
});

/** The requested schema, with one ruling for each reply and each of its criteria. */
function asked({ criteria, replies }: RepliesInput) {
  const numbers = (list: readonly { readonly number: number }[]) => v.picklist(list.map(({ number }) => number));
  const ruling = v.object({
    reply: v.pipe(numbers(replies), v.description("The reply's number")),
    criterion: v.pipe(numbers(criteria), v.description("The criterion's number")),
    quote: v.pipe(v.string(), v.description("Words of the reply that decide it, to the letter; empty: there are none")),
    reasoning: explained,
    met: v.pipe(v.boolean(), v.description("Whether the criterion holds of this reply")),
  });
  return v.object({ rulings: v.pipe(v.array(ruling), v.length(pairsOf(replies).length)) });
}

/** Input of the call that judges replies. */
export type RepliesInput = v.InferOutput<typeof repliesInput>;
/** Output of the call that judges replies. */
export type RepliesOutput = v.InferOutput<typeof output>;

/** Judges replies of a call one by one, each by its criteria. */
export const repliesSignature: Signature<typeof repliesInput, RepliesOutput> = {
  name: "replies",
  instructions:
    "You judge single replies of a voice agent in a phone call. Judge each reply on its own, by each of its criteria and by nothing else: quote the words of the reply that decide it, reason, then say whether the criterion holds of this reply. What the caller said before is there to understand the reply; do not judge it. Answer once for each reply and each of its criteria, in order.",
  input: repliesInput,
  output: (given) => {
    const contract = contractOf(output, asked(given));
    return {
      ...contract,
      read: (answer) => {
        const found = contract.read(answer);
        const problem = "output" in found ? pairingProblem(found.output, given) : undefined;
        return problem ? { problem } : found;
      },
    };
  },
};

function pairsOf(replies: RepliesInput["replies"]): readonly string[] {
  return replies.flatMap(({ number, criteria }) => criteria.map((criterion) => pairText(number, criterion)));
}

function pairText(reply: number, criterion: number): string {
  return `reply ${reply} by criterion ${criterion}`;
}

/** Returns the problem of an answer that does not have exactly one ruling for each pair. */
function pairingProblem({ rulings }: RepliesOutput, { replies }: RepliesInput): string | undefined {
  const counts = new Map<string, number>();
  for (const { reply, criterion } of rulings) {
    const pair = pairText(reply, criterion);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  const wanted = new Set(pairsOf(replies));
  const problems = [
    ...[...counts.keys()].filter((pair) => !wanted.has(pair)).map((pair) => `${pair} is not asked`),
    ...[...wanted].filter((pair) => !counts.has(pair)).map((pair) => `${pair} is not judged`),
    ...[...counts].filter(([, count]) => count > 1).map(([pair]) => `${pair} is judged twice`),
  ];
  return problems.length > 0 ? problems.slice(0, MOST_PROBLEMS).join("; ") : undefined;
}

/** More would only make the next request longer. */
const MOST_PROBLEMS = 10;
