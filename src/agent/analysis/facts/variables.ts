import { own } from "../../../base/values/mod.ts";
import { textOf } from "../../../document/expressions/mod.ts";
import { type AgentGraph, type AgentNode, definitionOf, type VariableExtraction } from "../../../document/graph/mod.ts";
import type { ValueFact, ValueFacts } from "../equations/mod.ts";
import { componentsOf } from "./cycles.ts";

/**
 * Converts the text of a variable to the number or boolean that the graph declares.
 *
 * @returns `undefined` if the text is not one. Variables of other types, and undeclared ones, stay texts.
 */
export function typedValue(
  variable: Pick<VariableExtraction, "type"> | undefined,
  text: string,
): string | number | boolean | undefined {
  const trimmed = text.trim();
  if (variable?.type === "boolean")
    return /^(?:true|false)$/i.test(trimmed) ? trimmed.toLowerCase() === "true" : undefined;
  if (variable?.type !== "number") return text;
  const value = trimmed === "" ? Number.NaN : Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}

/**
 * The possible values of a graph's variables. A declared or extracted variable holds what its type allows; one that a
 * tool or a default fills as well can hold any text. Only a default makes sure that a variable is set.
 */
export function valueFacts(graph: AgentGraph): ValueFacts {
  const nodes = Object.values(graph.nodes);
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const declared = new Map((definitionOf(graph)?.variables ?? []).map((variable) => [variable.name, variable]));
  const filled = new Set(
    nodes.flatMap(({ tools }) => tools.flatMap((tool) => Object.keys(tool.response_variables ?? {}))),
  );
  const extracted = new Map<string, VariableExtraction[]>();
  for (const { variables_to_extract: variables } of nodes)
    for (const variable of variables) extracted.set(variable.name, [...(extracted.get(variable.name) ?? []), variable]);
  const facts = new Map<string, ValueFact>();
  for (const name of knownVariables(graph).keys()) {
    const isDefault = Object.hasOwn(defaults, name) && textOf(defaults[name]) !== undefined;
    const of = declared.get(name);
    const sources = of ? [of] : isDefault || filled.has(name) ? [] : (extracted.get(name) ?? []);
    facts.set(name, { ...kindOf(sources), mayBeUnset: !isDefault });
  }
  return facts;
}

function kindOf(sources: readonly VariableExtraction[]): Pick<ValueFact, "kind" | "values"> {
  const listed = sources.map(({ type, choices }) => {
    if (choices && choices.length > 0) return choices;
    return type === "boolean" ? ["true", "false"] : undefined;
  });
  const values = listed.flatMap((each) => each ?? []);
  if (sources.length > 0 && listed.every((each) => each !== undefined))
    return { kind: "text", values: [...new Set(values)] };
  return { kind: sources.length > 0 && sources.every(({ type }) => type === "number") ? "number" : "text" };
}

/**
 * The variables that a graph declares: extracted, filled by tools, with a default, or declared in code. A call may be
 * given others.
 */
export function knownVariables(graph: AgentGraph): ReadonlyMap<string, VariableExtraction> {
  const named = (name: string): VariableExtraction => ({ name, description: "", type: "string" });
  const nodes = Object.values(graph.nodes);
  const tools = nodes.flatMap((node) => node.tools);
  const all = [
    ...Object.keys(graph.source_metadata.default_dynamic_variables ?? {}).map(named),
    ...tools.flatMap((tool) => Object.keys(tool.response_variables ?? {}).map(named)),
    ...(definitionOf(graph)?.variables ?? []),
    ...nodes.flatMap((node) => node.variables_to_extract),
  ];
  return new Map(all.map((variable) => [variable.name, variable]));
}

/** Which variables can be set when a call is at a node: before its own work, and after it. */
export interface VariableFlow {
  readonly before: (id: string, variable: string) => boolean;
  readonly after: (id: string, variable: string) => boolean;
}

/** The variables that a node fills: by extraction, or from the results of its tools. */
export function variablesSetBy({ variables_to_extract: variables, tools }: AgentNode): readonly string[] {
  return [
    ...variables.map(({ name }) => name),
    ...tools.flatMap(({ response_variables: filled }) => Object.keys(filled ?? {})),
  ];
}

/** Stands for all global nodes, which every conversation node leads to. */
const GLOBALS = "globals";
/** Stands for all nodes that a global node can go back to. */
const BACK = "back";
const place = (id: string) => `node ${id}`;

/**
 * Follows which variables any path can have set: along transitions, entries into global nodes and go-backs. Nodes that
 * lead to each other share what they set, so one pass over the groups of such nodes is enough. Variables are bits.
 */
export function variableFlow(graph: AgentGraph, variables: readonly string[]): VariableFlow {
  const bits = new Map(variables.map((name, index) => [name, index]));
  const words = Math.ceil(variables.length / 32);
  const none = new Uint32Array(words);
  const sets = new Map(
    Object.entries(graph.nodes).map(([id, node]) => [place(id), bitsOf(variablesSetBy(node), bits, words)] as const),
  );
  const edges = edgesOf(graph);
  const before = new Map<string, Uint32Array>();
  for (const members of componentsOf(edges)) {
    const [first = ""] = members;
    const isCycle = members.length > 1 || edges.get(first)?.includes(first) === true;
    const arriving = merged(
      members.map((id) => before.get(id) ?? none),
      words,
    );
    const leaving = merged([arriving, ...members.flatMap((id) => sets.get(id) ?? [])], words);
    for (const id of members) before.set(id, isCycle ? leaving : arriving);
    for (const id of members)
      for (const target of edges.get(id) ?? []) {
        const known = before.get(target);
        if (known !== leaving) before.set(target, known ? merged([known, leaving], words) : leaving);
      }
  }
  const has = (set: Uint32Array | undefined, variable: string) => {
    const bit = bits.get(variable);
    return set !== undefined && bit !== undefined && (((set[bit >> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
  };
  return {
    before: (id, variable) => has(before.get(place(id)), variable),
    after: (id, variable) => has(before.get(place(id)), variable) || has(sets.get(place(id)), variable),
  };
}

function bitsOf(names: readonly string[], bits: ReadonlyMap<string, number>, words: number): Uint32Array {
  const set = new Uint32Array(names.length === 0 ? 0 : words);
  for (const name of names) {
    const bit = bits.get(name);
    if (bit !== undefined) set[bit >> 5] = (set[bit >> 5] ?? 0) | (1 << (bit & 31));
  }
  return set;
}

function merged(sets: readonly Uint32Array[], words: number): Uint32Array {
  const all = new Uint32Array(words);
  for (const set of sets) for (let word = 0; word < set.length; word++) all[word] = (all[word] ?? 0) | (set[word] ?? 0);
  return all;
}

function edgesOf(graph: AgentGraph): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, string[]>([
    [GLOBALS, []],
    [BACK, []],
  ]);
  for (const [id, node] of Object.entries(graph.nodes)) {
    const { global_node_setting: setting } = node;
    const here = place(id);
    const targets = node.transitions.map(({ target_node_id: target }) => target);
    edges.set(here, [
      ...targets.filter((target) => own(graph.nodes, target)).map(place),
      ...(node.node_type === "conversation" ? [GLOBALS, here] : []),
      ...(setting && setting.go_back_conditions.length > 0 ? [BACK] : []),
    ]);
    if (setting) edges.get(GLOBALS)?.push(here);
    edges.get(BACK)?.push(here);
  }
  return edges;
}
