import { parseGraph, type ScenarioSource } from "../../../mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";

/** A graph, scenarios for its calls, and the same graph with one difference. */
export interface Planted {
  readonly graph: AgentGraph;
  readonly deployed: AgentGraph;
  readonly scenarios: readonly ScenarioSource[];
  /** What has to be found, and nothing else. */
  readonly kind: "path" | "variable" | "tool";
  readonly node: string;
  readonly name?: string;
}

const WORDS = (
  "alder birch cedar dogwood elder fir ginkgo hazel ivy juniper katsura larch maple nutmeg oak poplar quince rowan " +
  "spruce teak umbra viburnum willow xylia yew zelkova acorn basil clover daisy echium fennel garlic heather iris"
).split(" ");

/** Numbers from 0 to 1 that are the same for a seed on every machine. */
function numbers(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
}

interface Level {
  readonly word: string;
  readonly other: string;
  readonly stage: "none" | "extract" | "tool";
  readonly choices: readonly string[];
}

/** A random agent with several levels. At each, one word leads on, by an extraction or a tool or directly, and one aside. */
export function planted(seed: number): Planted {
  const next = numbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const words = [...WORDS].sort(() => next() - 0.5);
  const take = () => words.pop() ?? "word";
  const count = 2 + Math.floor(next() * 3);
  const levels = Array.from({ length: count }, (): Level => {
    const stage = pick(["none", "extract", "tool"] as const);
    return { word: take(), other: take(), stage, choices: [take(), take(), take()] };
  });
  const kinds = (["path", "variable", "tool"] as const).filter(
    (kind) => kind === "path" || levels.some(({ stage }) => stage === (kind === "tool" ? "tool" : "extract")),
  );
  const kind = pick(kinds);
  const fitting = [...levels.keys()].filter(
    (at) => kind === "path" || levels[at]?.stage === (kind === "tool" ? "tool" : "extract"),
  );
  const at = pick(fitting);
  const graph = graphOf(levels);
  const name = kind === "path" ? {} : { name: kind === "tool" ? `look_up_${at}` : `kind_${at}` };
  return {
    graph,
    deployed: parseGraph(deployedOf(graph, kind, at)),
    scenarios: scenariosOf(levels),
    kind,
    node: kind === "path" ? `level_${at}` : `${kind === "tool" ? "tool" : "extract"}_${at}`,
    ...name,
  };
}

function graphOf(levels: readonly Level[]): AgentGraph {
  const nodes: Record<string, object> = {
    end: { node_type: "end", state_prompt: "Say goodbye." },
    aside: { state_prompt: "Say that this is the wrong desk.", transitions: [says("end", "goodbye")] },
    last: { state_prompt: "Say that all is done.", transitions: [says("end", "goodbye")] },
  };
  for (const [at, { word, other, stage, choices }] of levels.entries()) {
    const after = at + 1 < levels.length ? `level_${at + 1}` : "last";
    const entry = stage === "none" ? after : `${stage}_${at}`;
    nodes[`level_${at}`] = {
      state_prompt: `Ask for word ${at}.`,
      transitions: [says(entry, word), says("aside", other)],
    };
    const always = [{ target_node_id: after, condition: { type: "always", value: "" } }];
    const variable = { name: `kind_${at}`, description: "What the caller names", type: "enum", choices };
    if (stage === "extract")
      nodes[entry] = { node_type: "extract", variables_to_extract: [variable], transitions: always };
    if (stage === "tool") nodes[entry] = { node_type: "function", tools: [toolOf(at)], transitions: always };
  }
  return parseGraph({ entry_node_id: "level_0", nodes });
}

function says(to: string, word: string): object {
  return { target_node_id: to, condition: { type: "llm_prompt", value: `Caller says ${word}` } };
}

function toolOf(at: number): object {
  const parameters = { type: "object", properties: {} };
  return { name: `look_up_${at}`, description: "Looks it up", type: "custom", url: "https://example.com", parameters };
}

function scenariosOf(levels: readonly Level[]): readonly ScenarioSource[] {
  const tool_mocks = levels.map((_, at) => ({ tool_name: `look_up_${at}`, output: { found: at } }));
  const on = ({ word, stage, choices }: Level) => (stage === "extract" ? `${word}, the ${choices[1]}` : word);
  const whole = { name: "whole", says: [...levels.map(on), "goodbye"], visits: ["level_0"], tool_mocks };
  const aside = levels.map((level, at) => ({
    name: `aside ${at}`,
    says: [...levels.slice(0, at).map(on), level.other, "goodbye"],
    visits: ["level_0"],
    tool_mocks,
  }));
  return [whole, ...aside];
}

/** The graph as a platform has it that differs in one place. */
function deployedOf(graph: AgentGraph, kind: Planted["kind"], at: number): object {
  const document = JSON.parse(JSON.stringify(graph));
  const { nodes } = document;
  if (kind === "path") nodes[`level_${at}`].transitions[0].condition.value = "Caller says abracadabra";
  else if (kind === "variable") nodes[`extract_${at}`].variables_to_extract[0].name = `other_${at}`;
  else {
    const first = nodes[`tool_${at}`];
    nodes.again = { ...JSON.parse(JSON.stringify(first)), id: "again" };
    first.transitions[0].target_node_id = "again";
  }
  return document;
}
