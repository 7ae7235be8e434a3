import * as v from "valibot";
import { contractOf, type Signature } from "../signature.ts";
import { optionalShare } from "./agent.ts";
import { FAULT_PLACES, failedCall } from "./repair.ts";

const diagnosisInput = v.object(failedCall);

const quote = v.object({
  node: v.pipe(v.string(), v.description("Id of the node that has the text; empty: the general prompt or a snippet")),
  quote: v.pipe(v.string(), v.description("Words of the agent's text that are at fault, to the letter")),
});
const said = v.object({
  line: v.pipe(v.number(), v.description("Number of the line of the transcript")),
  quote: v.pipe(v.string(), v.description("Words of this line that show the failure, to the letter")),
});

const output = v.object({
  place: v.pipe(
    v.picklist(FAULT_PLACES),
    v.description(
      "transition: its condition is wrong, or it leads to the wrong node. tool: it failed, or it is described badly. scenario: it expects what is not the agent's task, or lacks a mock. caller: it did not keep to its persona",
    ),
  ),
  node: v.pipe(v.string(), v.description("Id of the node at fault; empty for general_prompt, scenario and caller")),
  transition: v.pipe(v.number(), v.description("Index of the transition at fault; -1: none")),
  target: v.pipe(v.string(), v.description("missing_transition: the node that it should lead to; else empty")),
  tool: v.pipe(v.string(), v.description("Name of the tool at fault; empty: none")),
  quotes: v.array(quote),
  evidence: v.array(said),
  explanation: v.pipe(v.string(), v.description("What is wrong there and how it led to the failure, in two sentences")),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1), v.description("0 a guess, 1 certain")),
});

/** Fields that a server without structured output may leave out. */
const lenient = v.object({
  ...output.entries,
  node: v.nullish(v.string(), ""),
  transition: v.nullish(v.number(), -1),
  target: v.nullish(v.string(), ""),
  tool: v.nullish(v.string(), ""),
  quotes: v.nullish(v.array(v.object({ ...quote.entries, node: v.nullish(v.string(), "") })), []),
  evidence: v.nullish(v.array(said), []),
  confidence: optionalShare,
});

/** Input of the diagnosis call. */
export type DiagnosisInput = v.InferOutput<typeof diagnosisInput>;
/** Output of the diagnosis call. */
export type DiagnosisOutput = v.InferOutput<typeof lenient>;

/** Finds the place of the fault in a failed call. {@link diagnosisProblem} checks what it names and quotes. */
export const diagnosisSignature: Signature<typeof diagnosisInput, DiagnosisOutput> = {
  name: "diagnosis",
  instructions:
    "You find out why a test call of a voice agent failed. The facts are certain; explain them. Name the one place that has to change so that the call passes: the text the agent was given, a transition, a tool, the scenario, or the simulated caller. Prefer the most specific place. Quote the words of the agent at fault and the words of the transcript that show it, both to the letter. Do not invent words.",
  input: diagnosisInput,
  output: () => contractOf(lenient, output),
};

/** Returns the problem of an answer that names what does not exist, or quotes what is written or said nowhere. */
export function diagnosisProblem(answer: DiagnosisOutput, { agent, call }: DiagnosisInput): string | undefined {
  const { place, node: id, transition, target, tool, quotes, evidence, explanation } = answer;
  const node = agent.nodes.find((each) => each.id === id);
  if (explanation.trim() === "") return "explanation: it is blank";
  const needsNode = place === "node_prompt" || place === "transition" || place === "missing_transition";
  if (needsNode && !node) return `node: there is no node ${JSON.stringify(id)}`;
  if (place === "transition" && !node?.transitions.some(({ index }) => index === transition))
    return `transition: ${JSON.stringify(id)} has no transition ${transition}`;
  if (place === "missing_transition" && !agent.nodes.some((each) => each.id === target))
    return `target: there is no node ${JSON.stringify(target)}`;
  const tools = agent.nodes.flatMap((each) => each.tools.map(({ name }) => name));
  if (place === "tool" && !tools.includes(tool) && !agent.nodes.some((each) => each.id === tool))
    return `tool: there is no tool ${JSON.stringify(tool)}`;
  for (const { node: owner, quote: words } of quotes) {
    if (words.trim() === "") return "quotes: one is blank";
    if (!textsOf(agent, owner).some((text) => text.includes(words)))
      return `quotes: ${JSON.stringify(words)} is not written ${owner ? `at node ${JSON.stringify(owner)}` : "in the general prompt"}`;
  }
  for (const { line, quote: words } of evidence) {
    if (words.trim() === "") return "evidence: a quotation is blank";
    const spoken = call.transcript.find((each) => each.line === line);
    if (!spoken?.content.includes(words)) return `evidence: line ${line} does not say ${JSON.stringify(words)}`;
  }
  if (quotes.length === 0 && mustQuote(answer, agent)) return "quotes: the text at fault is not quoted";
  if (evidence.length === 0 && call.transcript.some(({ content }) => content.trim() !== ""))
    return "evidence: nothing of the transcript is quoted";
  return undefined;
}

/** Whether the place has a text that can be quoted. */
function mustQuote({ place, node: id, transition }: DiagnosisOutput, agent: DiagnosisInput["agent"]): boolean {
  const node = agent.nodes.find((each) => each.id === id);
  if (place === "general_prompt") return agent.general_prompt.trim() !== "";
  if (place === "node_prompt") return (node?.prompt ?? "").trim() !== "";
  if (place !== "transition") return false;
  return (node?.transitions.find(({ index }) => index === transition)?.condition ?? "").trim() !== "";
}

function textsOf({ general_prompt: general, nodes, snippets }: DiagnosisInput["agent"], id: string): readonly string[] {
  if (id === "") return [general, ...snippets.map(({ text }) => text)];
  return nodes
    .filter((node) => node.id === id)
    .flatMap(({ prompt, global_condition: condition, transitions, variables, tools }) => [
      prompt,
      condition,
      ...transitions.map((each) => each.condition),
      ...variables.flatMap(({ name, description }) => [name, description]),
      ...tools.flatMap(({ name, description }) => [name, description]),
    ]);
}
