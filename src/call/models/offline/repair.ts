import type { RepairInput, RepairOutput } from "../signatures/mod.ts";

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
