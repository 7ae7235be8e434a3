import { own } from "../../../base/values/mod.ts";
import type { AgentGraph, VariableExtraction } from "../../../document/graph/mod.ts";
import { knownVariables } from "../facts/mod.ts";
import { type CallPath, type PathStep, toolResult } from "../paths/mod.ts";
import { isSamePath } from "./same_path.ts";
import { sampleValue } from "./sample_value.ts";

/**
 * Replaces the values of a path by ones that people would say, where the equations on it lead the same way. A variable
 * that the path leaves empty for no reason gets a value too.
 */
export function withSamples(graph: AgentGraph, path: CallPath): CallPath {
  const declared = knownVariables(graph);
  const variableNamed = (name: string): VariableExtraction =>
    declared.get(name) ?? { name, description: "", type: "string" };
  let found = path;
  const attempt = (next: CallPath) => {
    if (isSamePath(graph, next)) found = next;
  };
  for (const index of [...path.steps.keys()].reverse()) {
    const step = path.steps[index];
    const variables = step ? settable(graph, step, variableNamed) : [];
    for (const variable of [...variables].reverse()) {
      const sample = sampleValue(variable) ?? (step?.kind === "tool" ? spacedName(variable.name) : undefined);
      const now = found.steps[index];
      if (sample === undefined || !now) continue;
      attempt({ ...found, steps: found.steps.with(index, withValue(graph, now, variable.name, sample)) });
    }
  }
  for (const name of Object.keys(path.variables)) {
    const sample = sampleValue(variableNamed(name));
    if (sample !== undefined) attempt({ ...found, variables: { ...found.variables, [name]: sample } });
  }
  return found;
}

/** The variables that a step can set. */
function settable(
  { nodes }: AgentGraph,
  step: PathStep,
  variableNamed: (name: string) => VariableExtraction,
): readonly VariableExtraction[] {
  if (step.kind === "extract") return own(nodes, step.node)?.variables_to_extract ?? [];
  if (step.kind !== "tool" || step.outcome === "failed") return [];
  const tool = own(nodes, step.node)?.tools.find(({ name }) => name === step.tool);
  return Object.keys(tool?.response_variables ?? {}).map(variableNamed);
}

function withValue(graph: AgentGraph, step: PathStep, name: string, value: string): PathStep {
  if (step.kind === "extract") return { ...step, values: withEntry(step.values, name, value) };
  if (step.kind !== "tool") return step;
  const variables = withEntry(step.variables, name, value);
  return { ...step, variables, result: toolResult(graph, step, variables) };
}

/** A name may be `__proto__`, which a spread would not copy. */
function withEntry<Value>(
  record: { readonly [name: string]: Value },
  name: string,
  value: Value,
): { readonly [name: string]: Value } {
  return Object.fromEntries([...Object.entries(record), [name, value]]);
}

function spacedName(name: string): string {
  return name.replace(/[_\s]+/g, " ").trim();
}
