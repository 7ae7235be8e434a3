import type { DiagnosisInput, DiagnosisOutput, FailedCallInput } from "../signatures/mod.ts";

/** Low, because the rules know nothing about meaning. */
const CONFIDENCE = 0.3;
/** Maximum length of a quotation, in characters. */
const LONGEST = 200;

type Fact = FailedCallInput["facts"][number];
type Node = FailedCallInput["agent"]["nodes"][number];
type FaultPlace = Pick<DiagnosisOutput, "place" | "node" | "transition" | "target" | "tool">;

const NOWHERE = { node: "", transition: -1, target: "", tool: "" } as const;

/** Derives the place from the first fact: an unmet path from the transition that was not taken, and so on. */
export function diagnoseByRule(input: DiagnosisInput): DiagnosisOutput {
  const [fact] = input.facts;
  const place = placeOf(fact, input);
  const because = fact ? fact.fact : "Nothing certain is known about the failure.";
  return {
    ...place,
    quotes: quotesOf(place, input),
    evidence: evidenceOf(place, input),
    explanation: `${because} The offline model derives the place from this fact alone.`,
    confidence: fact ? CONFIDENCE : 0,
  };
}

function placeOf(fact: Fact | undefined, { agent }: DiagnosisInput): FaultPlace {
  const nodeOf = (id: string) => agent.nodes.find((node) => node.id === id);
  const at = nodeOf(fact?.node ?? "");
  switch (fact?.kind) {
    case "caller":
      return { place: "caller", ...NOWHERE };
    case "error":
      return { place: "scenario", ...NOWHERE };
    case "unmocked_tool":
    case "tool_failed":
      return { place: "tool", ...NOWHERE, node: at?.id ?? "", tool: fact.name };
    case "path_left":
    case "wrong_node":
      if (at?.transitions.some(({ index }) => index === fact.transition))
        return { place: "transition", ...NOWHERE, node: at.id, transition: fact.transition };
      if (nodeOf(fact.target)?.global_condition) return { place: "transition", ...NOWHERE, node: fact.target };
      break;
    case "no_way":
      if (at && nodeOf(fact.target))
        return { place: "missing_transition", ...NOWHERE, node: at.id, target: fact.target };
      break;
  }
  if (at) return { place: "node_prompt", ...NOWHERE, node: at.id };
  return { place: "general_prompt", ...NOWHERE };
}

/** The text at the place, from its beginning. */
function quotesOf({ place, node: id, transition }: FaultPlace, { agent }: DiagnosisInput): DiagnosisOutput["quotes"] {
  const node = agent.nodes.find((each) => each.id === id);
  const text = textAt(place, transition, node, agent.general_prompt);
  const quote = text.slice(0, LONGEST);
  return quote.trim() === "" ? [] : [{ node: place === "general_prompt" ? "" : id, quote }];
}

function textAt(place: FaultPlace["place"], transition: number, node: Node | undefined, general: string): string {
  if (place === "general_prompt") return general;
  if (place === "node_prompt") return node?.prompt ?? "";
  if (place !== "transition" || !node) return "";
  return node.transitions.find(({ index }) => index === transition)?.condition ?? node.global_condition;
}

/** The caller's last line at the node; else the caller's last line that is not empty. */
function evidenceOf({ node }: FaultPlace, { call }: DiagnosisInput): DiagnosisOutput["evidence"] {
  const said = call.transcript.filter(({ content }) => content.trim() !== "");
  const heard = said.filter(({ role }) => role === "user");
  const line = heard.findLast((each) => each.node === node) ?? heard.at(-1) ?? said.at(-1);
  return line ? [{ line: line.line, quote: line.content.slice(0, LONGEST) }] : [];
}
