import type { DiagnosisInput, DiagnosisOutput, FailedCallInput, RepairInput, RepairOutput } from "../signatures/mod.ts";

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

type Change = RepairOutput["changes"][number];

const NOTHING = {
  node: "",
  transition: -1,
  clause: -1,
  target: "",
  name: "",
  operator: "",
  find: "",
  text: "",
} as const;

/**
 * Proposes a change by rules: a condition gets the caller's words, because the offline model compares words; a prompt
 * gets the requirement that was not met.
 */
export function repairByRule(input: RepairInput): RepairOutput {
  if (input.refused_tries.length > 0)
    return { changes: [], reasoning: "The offline model has one rule for each place, and its change was refused." };
  const change = changeOf(input);
  if (change) return { changes: [change], reasoning: "The offline model follows a rule for this place." };
  return { changes: [], reasoning: ADVICE[input.fault.place] };
}

const OTHERS = "The offline model has no rule for this fault: choose a model, or change the graph by hand.";
const ADVICE: { readonly [Place in RepairInput["fault"]["place"]]: string } = {
  general_prompt: OTHERS,
  node_prompt: OTHERS,
  transition: OTHERS,
  missing_transition: OTHERS,
  tool: "Mock the tool in the scenario, or repair what answers it.",
  scenario: "Change the scenario, or repair what its error names.",
  caller: "Run the scenario again, or write the persona so that the caller can keep to it.",
};

function changeOf({ agent, call, facts, fault }: RepairInput): Change | undefined {
  const { place, node: id, transition: index, target } = fault;
  const node = agent.nodes.find((each) => each.id === id);
  const heard = call.transcript.filter(({ role }) => role === "user");
  const words = (heard.findLast((line) => line.node === id) ?? heard.at(-1))?.content.trim() ?? "";
  switch (place) {
    case "transition": {
      const [fact] = facts;
      const isMissed = fact?.kind === "path_left";
      const edge = node?.transitions.find((each) => each.index === index);
      if (!isMissed || !node || words === "") return undefined;
      if (!edge && node.global_condition !== "")
        return { ...NOTHING, verb: "set_global_condition", node: id, text: withWords(node.global_condition, words) };
      if (edge?.condition_type !== "llm_prompt") return undefined;
      return { ...NOTHING, verb: "set_condition", node: id, transition: index, text: withWords(edge.condition, words) };
    }
    case "missing_transition":
      if (words === "") return undefined;
      return { ...NOTHING, verb: "add_transition", node: id, target, text: `Caller says: ${JSON.stringify(words)}` };
    case "node_prompt": {
      const requirement = requirementOf(facts, node?.variables ?? []);
      if (!node || requirement === undefined) return undefined;
      return { ...NOTHING, verb: "set_prompt", node: id, text: joined(node.prompt, requirement) };
    }
    case "general_prompt": {
      const requirement = requirementOf(facts, []);
      if (requirement === undefined) return undefined;
      return { ...NOTHING, verb: "set_general_prompt", text: joined(agent.general_prompt, requirement) };
    }
    default:
      return undefined;
  }
}

function requirementOf(
  [fact]: RepairInput["facts"],
  variables: RepairInput["agent"]["nodes"][number]["variables"],
): string | undefined {
  if (!fact) return undefined;
  switch (fact.kind) {
    case "missing_variable":
    case "wrong_variable": {
      const description = variables.find(({ name }) => name === fact.name)?.description || fact.name;
      return `Find out this: ${description}.`;
    }
    case "tool_not_called":
      return `Use the tool ${fact.name}.`;
    case "not_said":
      return `Say: ${fact.name}`;
    case "said":
      return `Do not say: ${fact.name}`;
    case "verdict":
      return `Make sure of this: ${fact.name}`;
    default:
      return undefined;
  }
}

function withWords(condition: string, words: string): string {
  return `${condition.replace(/[.\s]+$/, "")}, or says: ${JSON.stringify(words)}`;
}

function joined(prompt: string, sentence: string): string {
  return [prompt.trimEnd(), sentence].filter(Boolean).join(" ");
}
