import { bareName } from "../../../document/expressions/mod.ts";
import type { AgentGraph, EquationClause, ToolDefinition } from "../../../document/graph/mod.ts";
import { mapConditions, mapSettings, replaceNodes } from "./map_graph.ts";
import { renameInSettings } from "./rename_in_settings.ts";
import { renameInTexts } from "./rename_in_texts.ts";

/** The graph with a variable under another name: texts, equations, extractions, tools, defaults and settings of platforms. */
export function renameVariable(graph: AgentGraph, from: string, to: string): AgentGraph {
  const nameOf = (name: string) => (name === from ? to : name);
  const side = (value: string) => (bareName(value) === from ? value.replace(from, () => to) : value);
  // placeholders in right sides are renamed as those of all texts; a right side without them is a literal
  const clause = (each: EquationClause): EquationClause => ({ ...each, left: side(each.left) });
  const tool = (each: ToolDefinition): ToolDefinition =>
    each.response_variables ? { ...each, response_variables: renamedKeys(each.response_variables, nameOf) } : each;
  const { default_dynamic_variables: defaults } = graph.source_metadata;
  const placed = renameInTexts(graph, from, to);
  const set = mapSettings(placed, (settings) => renameInSettings(settings, from, to));
  const compared = mapConditions(set, (condition) =>
    condition.equations ? { ...condition, equations: condition.equations.map(clause) } : condition,
  );
  const filled = replaceNodes(compared, (node) => [
    {
      ...node,
      tools: node.tools.map(tool),
      variables_to_extract: node.variables_to_extract.map((each) => ({ ...each, name: nameOf(each.name) })),
    },
  ]);
  if (!defaults) return filled;
  const renamed = renamedKeys(placed.source_metadata.default_dynamic_variables ?? {}, nameOf);
  return { ...filled, source_metadata: { ...filled.source_metadata, default_dynamic_variables: renamed } };
}

function renamedKeys<Value>(record: { readonly [key: string]: Value }, nameOf: (key: string) => string) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [nameOf(key), value]));
}
