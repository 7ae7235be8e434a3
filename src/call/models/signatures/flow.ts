import * as v from "valibot";
import { foundTarget } from "../../../document/graph/mod.ts";
import { contractOf, type Signature } from "../signature.ts";
import { explanation, optionalShare } from "./agent.ts";
import { NO_TRANSITION } from "./decision.ts";
import { quote } from "./judge.ts";

const way = { target: v.string(), condition: v.string() } as const;

const flowInput = v.object({
  nodes: v.pipe(
    v.array(
      v.object({
        id: v.string(),
        node_type: v.string(),
        prompt: v.string(),
        transitions: v.array(
          v.object({
            ...way,
            condition_type: v.picklist(["llm_prompt", "equation", "tool_call", "always", "go_back"]),
          }),
        ),
      }),
    ),
    v.description("The nodes at which the call had a choice: what the agent is told there, and where it can go"),
  ),
  global_nodes: v.pipe(
    v.array(v.object(way)),
    v.description("Nodes that can be entered from every conversation node, each with its condition"),
  ),
  call: v.pipe(
    v.array(
      v.union([
        v.object({ role: v.picklist(["user", "assistant", "tool"]), content: v.string() }),
        v.object({ step: v.nullable(v.number()), at: v.string(), took: v.string(), because: v.string() }),
      ]),
    ),
    v.description(
      'The call in order. Lines have a role; steps say from which node (at) to which node (took) the call went after the lines above, "none": it stayed. A step without a number had no choice',
    ),
  ),
});

const score = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** The requested fields; models without structured output omit those that only explain. */
const asked = v.object({
  steps: v.array(
    v.object({
      step: v.pipe(v.number(), v.description("The step's number")),
      evidence: v.pipe(quote, v.description("The line before the step that decides it; an empty quote: there is none")),
      reasoning: v.pipe(v.string(), v.description("Which condition these words meet, in one sentence")),
      right: v.pipe(v.boolean(), v.description("Whether the call went where the conditions lead")),
      should_have_taken: v.pipe(
        v.string(),
        v.description("Of a wrong step the right target, to the letter; none: stay; of a right step the target taken"),
      ),
    }),
  ),
  reasoning: v.pipe(v.string(), v.description("What the path as a whole did for the caller, in a sentence or two")),
  score: v.pipe(
    score,
    v.description(
      "How right the path was: 1 every step is right; above 0.7 a wrong step that the call made good; below 0.5 a wrong step kept the caller from what they called for",
    ),
  ),
  confidence: v.pipe(score, v.description("How sure the judgement is: 0 a guess, 1 certain")),
});

const textQuote = v.pipe(
  v.string(),
  v.transform((words) => ({ role: "user" as const, quote: words })),
);
const output = v.object({
  steps: v.array(
    v.object({
      step: v.number(),
      evidence: v.nullish(v.union([quote, textQuote]), () => ({ role: "user" as const, quote: "" })),
      reasoning: explanation,
      right: v.boolean(),
      should_have_taken: v.nullish(v.string(), ""),
    }),
  ),
  reasoning: explanation,
  score,
  confidence: optionalShare,
});

/** Input of the flow judge. */
export type FlowInput = v.InferOutput<typeof flowInput>;
/** Output of the flow judge. */
export type FlowOutput = v.InferOutput<typeof output>;
/** A step of {@link FlowInput}. */
export type FlowInputStep = Extract<FlowInput["call"][number], { readonly took: string }>;

/** Judges whether a call took the right path through the graph. */
export const flowSignature: Signature<typeof flowInput, FlowOutput> = {
  name: "flow",
  instructions:
    "You judge the path of a phone call through the nodes of a voice agent, not what the agent said. For each numbered step: quote the words before it that decide it, say which condition of the node or of a global node they meet, then whether the call went there. A step that stayed (none) is right when no condition was met, or when the caller has not yet answered what the node asks for. Use only the conditions that are given and what was said before the step. Then score the path as a whole. Answer for every numbered step, in order.",
  input: flowInput,
  output: (given) => {
    const contract = contractOf(output, asked);
    return {
      ...contract,
      read: (answer) => {
        const found = contract.read(answer);
        const problem = "output" in found ? problemOf(found.output, given) : undefined;
        return problem ? { problem } : found;
      },
    };
  },
};

/** Where a step could have gone: the targets on offer at its node, and staying. */
export function targetsAt({ nodes, global_nodes: globals }: FlowInput, at: string): readonly string[] {
  const node = nodes.find(({ id }) => id === at);
  const own = node?.transitions.map(({ target }) => target) ?? [];
  const entries = node?.node_type === "conversation" ? globals.map(({ target }) => target) : [];
  return [...new Set([...own, ...entries.filter((target) => target !== at), NO_TRANSITION])];
}

/** Returns the problem of an answer that omits steps, names targets that were not offered, or contradicts itself. */
function problemOf({ steps, score }: FlowOutput, input: FlowInput): string | undefined {
  const asked = input.call.flatMap((entry) => ("took" in entry && entry.step !== null ? entry : []));
  for (const { step, at, took } of asked) {
    const found = steps.filter((each) => each.step === step);
    const [answer] = found;
    if (!answer) return `step ${step} is not judged`;
    if (found.length > 1) return `step ${step} is judged twice`;
    if (answer.right) continue;
    const target = foundTarget(targetsAt(input, at), answer.should_have_taken);
    if (target === undefined)
      return `step ${step}: should_have_taken: "${answer.should_have_taken}" cannot be reached from "${at}"`;
    if (target === took) return `step ${step}: it is wrong, but should_have_taken is what it took`;
  }
  const unknown = steps.find(({ step }) => !asked.some((each) => each.step === step));
  if (unknown) return `there is no step ${unknown.step}`;
  const wrong = steps.find(({ right }) => !right);
  if (wrong && score === 1) return `score: it is 1, but step ${wrong.step} is wrong`;
  return !wrong && score < 0.5 ? `score: it is ${score}, but no step is wrong` : undefined;
}
