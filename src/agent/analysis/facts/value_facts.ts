import { textOf } from "../../../document/expressions/mod.ts";
import { type AgentGraph, definitionOf, type VariableExtraction } from "../../../document/graph/mod.ts";
import type { ValueFact, ValueFacts } from "../equations/mod.ts";
import { knownVariables } from "./known_variables.ts";

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
