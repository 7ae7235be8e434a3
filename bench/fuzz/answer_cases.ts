import { any, type Mutation, mutatedAnswer, mutatedReply, type Random } from "./answer_mutations.ts";

/** The model call whose answer a case damages. */
export type DamagedCall = "transition" | "extract" | "arguments" | "respond" | "judge" | "caller";

/** One damaged answer in one scenario. */
export interface AnswerCase {
  readonly number: number;
  readonly call: DamagedCall;
  readonly mutation: Mutation;
  /** Whether every answer to the call is damaged, or the first one alone. */
  readonly always: boolean;
}

/** What the agent says if all goes well. */
export const BOOKED = "Your gold plan is booked.";
/** What the caller asks for. */
export const WISH = "I want to book.";

/** The valid answers of a call, apart from what depends on the case. */
export const GOOD = {
  transition: { reasoning: "They say so.", objectives_complete: true, transition_to: "collect", reply: "All right." },
  extract: { plan: "gold", count: 3 },
  arguments: { id: "42" },
} as const;

export function goodVerdicts(number: number, score: number, evidence: unknown = []) {
  const verdict = { number: 1, requirement: `case ${number}`, evidence, reasoning: "It does.", score, confidence: 1 };
  return { verdicts: [verdict] };
}

export function callerSays(number: number, message: string) {
  return { message: `Case ${number}: ${message}`, should_end: false };
}

/** Deterministic cases for a seed. */
export function answerCase(number: number, random: Random): AnswerCase {
  const call = any<DamagedCall>(random, ["transition", "extract", "arguments", "respond", "judge", "caller"]);
  const mutation = mutationOf(number, call, random);
  return { number, call, mutation, always: mutation.meaning === "different" || random() < 0.5 };
}

function mutationOf(number: number, call: DamagedCall, random: Random): Mutation {
  const json = (value: object) => JSON.stringify(value);
  if (call === "respond") return mutatedReply(random, BOOKED);
  if (call === "transition") {
    const good = GOOD.transition;
    const others = [
      json({ ...good, objectives_complete: false }),
      ...["none", "nowhere", "", "bye", "COLLECT\nbye", "__proto__"].map((transition_to) =>
        json({ ...good, transition_to }),
      ),
    ] as const;
    return mutatedAnswer(random, good, [others[0] ?? "", ...others], ["objectives_complete", "transition_to"]);
  }
  if (call === "extract") {
    const others = [json({ plan: "basic", count: 3 }), json({ plan: "gold", count: 4 }), "{}"] as const;
    return mutatedAnswer(random, GOOD.extract, others, ["plan", "count"]);
  }
  if (call === "arguments") {
    return mutatedAnswer(random, GOOD.arguments, [json({ id: "43" }), "{}", json({ ID: "42" })], ["id"]);
  }
  if (call === "caller") {
    const good = callerSays(number, WISH);
    const others = [json({ ...good, should_end: true }), json({ ...good, message: "Goodbye." })] as const;
    return mutatedAnswer(random, good, others, ["message", "should_end"]);
  }
  if (random() < 0.25) {
    const forged = any<unknown>(random, [
      [{ role: "assistant", quote: WISH }],
      `assistant: ${WISH}`,
      "Agent: I never said this",
    ]);
    const text = json(goodVerdicts(number, 1, forged));
    return { name: "forged evidence", answer: { text, finish: "stop" }, meaning: "forged" };
  }
  const good = goodVerdicts(number, 1);
  const [verdict] = good.verdicts;
  const others = [
    json(goodVerdicts(number, 0.2)),
    json({ verdicts: [] }),
    json({ verdicts: [verdict, verdict] }),
    json({ verdicts: [{ ...verdict, score: 7 }] }),
    json({ verdicts: [{ ...verdict, score: "1" }] }),
    json({ verdicts: [{ ...verdict, number: 2 }] }),
  ] as const;
  return mutatedAnswer(random, good, others, ["verdicts"]);
}
