import { own } from "../../../base/values/mod.ts";
import { isPlatformVariable, textOf } from "../../../document/expressions/mod.ts";
import type { AgentGraph, VariableExtraction } from "../../../document/graph/mod.ts";
import { ANY_VALUE, type ValueFact } from "../equations/mod.ts";
import { valueFacts } from "../facts/mod.ts";

/** The possible values of a graph's variables, by what sets them. */
export interface VariableSources {
  /** The values that a call can start with. */
  readonly startOf: (name: string) => ValueFact;
  /** The default value of a dynamic variable. */
  readonly defaultOf: (name: string) => string | undefined;
  /** The values that an extract node can find. */
  readonly extracted: (variable: VariableExtraction) => ValueFact;
  /** The values that a tool can return. */
  readonly returned: ValueFact;
  /** Every source of a variable's values, the start first. */
  readonly sourcesOf: (name: string) => readonly ValueFact[];
}

const RETURNED: ValueFact = { kind: "text", mayBeUnset: false };
const UNSET: ValueFact = { kind: "text", values: [], mayBeUnset: true };

/**
 * Collects what the variables can hold. A variable that no node fills, or that has a default, is a dynamic variable:
 * a call can start with any value of its type. Any other variable is not set at the start.
 *
 * @param startsWith The values of a call that is under way.
 */
export function variableSources(graph: AgentGraph, startsWith?: (name: string) => ValueFact): VariableSources {
  const facts = valueFacts(graph);
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const extractions = new Map<string, ValueFact[]>();
  const returned = new Set<string>();
  for (const { variables_to_extract: variables, node_type: type, tools } of Object.values(graph.nodes)) {
    if (type === "extract")
      for (const variable of variables)
        extractions.set(variable.name, [...(extractions.get(variable.name) ?? []), extractedFact(variable)]);
    for (const tool of tools) for (const name of Object.keys(tool.response_variables ?? {})) returned.add(name);
  }
  const defaultOf = (name: string) => textOf(own(defaults, name));
  const startOf = (name: string): ValueFact => {
    if (startsWith) return startsWith(name);
    const value = defaultOf(name);
    if (value === undefined && (extractions.has(name) || returned.has(name))) return UNSET;
    const { values, kind } = facts.get(name) ?? ANY_VALUE;
    const mayBeUnset = value === undefined && !isPlatformVariable(name);
    if (values) return { kind, mayBeUnset, values: [...new Set([...(value === undefined ? [] : [value]), ...values])] };
    return { kind, mayBeUnset };
  };
  return {
    startOf,
    defaultOf,
    extracted: extractedFact,
    returned: RETURNED,
    sourcesOf: (name) => [startOf(name), ...(extractions.get(name) ?? []), ...(returned.has(name) ? [RETURNED] : [])],
  };
}

function extractedFact({ type, choices }: VariableExtraction): ValueFact {
  if (choices && choices.length > 0) return { kind: "text", values: choices, mayBeUnset: false };
  if (type === "boolean") return { kind: "text", values: ["true", "false"], mayBeUnset: false };
  return { kind: type === "number" ? "number" : "text", mayBeUnset: false };
}
