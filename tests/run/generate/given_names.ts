import type { AgentGraph } from "../../../src/document/graph/mod.ts";

/** Variables that no node fills and that the graph compares or gives a default: those that a call can be given. */
export function givenNames({ nodes, source_metadata: source }: AgentGraph): ReadonlySet<string> {
  const all = Object.values(nodes);
  const filled = all.flatMap(({ node_type: type, variables_to_extract: variables, tools }) => [
    ...(type === "extract" ? variables.map(({ name }) => name) : []),
    ...tools.flatMap((tool) => Object.keys(tool.response_variables ?? {})),
  ]);
  const conditions = all.flatMap(({ transitions, global_node_setting: setting }) => [
    ...transitions,
    ...(setting?.go_back_conditions ?? []),
  ]);
  const compared = conditions.flatMap(({ condition }) => (condition.equations ?? []).map(({ left }) => left));
  const defaults = Object.keys(source.default_dynamic_variables ?? {});
  return new Set([...compared.filter((name) => !filled.includes(name)), ...defaults]);
}
