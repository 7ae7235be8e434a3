import * as v from "valibot";
import { contractOf, type Signature } from "../signature.ts";
import { explanation, history } from "./agent.ts";

const auditInput = v.object({
  persona: v.pipe(v.string(), v.description("Who the simulated caller is, what they know and what they want")),
  conversation_history: v.pipe(
    history,
    v.description("The call; user lines are the caller's, assistant lines the agent's, tool lines what tools returned"),
  ),
});

const asked = v.object({
  invented_facts: v.pipe(
    v.array(
      v.object({
        quote: v.pipe(
          v.string(),
          v.description("The caller's words that state the fact, to the letter, from one line"),
        ),
        fact: v.pipe(v.string(), v.description("The invented value or claim itself, as short as possible")),
      }),
    ),
    v.description("Facts that the caller stated and that stand neither in the persona nor in earlier lines"),
  ),
  goal: v.pipe(v.string(), v.description("What the persona wants from this call, in a few words")),
  goal_decided: v.pipe(
    v.boolean(),
    v.description("Whether, when the call ended, the goal was reached, refused, or plainly out of the agent's reach"),
  ),
  reasoning: v.pipe(v.string(), v.description("Why the goal was decided or not, in one sentence")),
});

/** Models without structured output omit what only explains. */
const output = v.object({ ...asked.entries, goal: explanation, reasoning: explanation });

/** Input of the audit call. */
export type AuditInput = v.InferOutput<typeof auditInput>;
/** Output of the audit call. */
export type AuditOutput = v.InferOutput<typeof output>;

/** Checks whether a simulated caller kept to its persona. */
export const auditSignature: Signature<typeof auditInput, AuditOutput> = {
  name: "audit",
  instructions:
    "You check the simulated caller of a test call, not the agent. The caller may state only what the persona says and what the agent or a tool said before. List each fact that the caller invented: names, numbers, dates, places, products, events, wishes that change the task. Opinions, feelings, courtesies, yes and no, and choices among what the agent offered are not facts. Then say whether the caller's goal was decided when the call ended: reached, refused, or plainly out of reach. A caller that hung up while the agent was still working on it, or still had an open question, left it undecided.",
  input: auditInput,
  output: () => contractOf(output, asked),
};
