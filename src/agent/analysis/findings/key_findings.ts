import type { Path } from "../../../base/errors.ts";
import { isTypoOf } from "../../../base/values/mod.ts";
import { type AgentGraph, type Finding, GRAPH_KEYS, type TransitionCondition } from "../../../document/graph/mod.ts";

/**
 * Findings for keys that are almost keys of the graph, such as `state_promt`: like any unknown key they are kept, and
 * nothing reads them. `metadata`, snippets and platform settings have other keys.
 */
export function keyFindings(graph: AgentGraph): Finding[] {
  return [
    ...misspelled(graph, GRAPH_KEYS.graph, []),
    ...misspelled(graph.source_metadata, GRAPH_KEYS.sourceMetadata, ["source_metadata"]),
    ...Object.entries(graph.nodes).flatMap(([id, node]) => {
      const at: Path = ["nodes", id];
      const setting = node.global_node_setting;
      return [
        ...misspelled(node, GRAPH_KEYS.node, at),
        ...node.tools.flatMap((tool, index) => misspelled(tool, GRAPH_KEYS.tool, [...at, "tools", index])),
        ...node.variables_to_extract.flatMap((variable, index) =>
          misspelled(variable, GRAPH_KEYS.variable, [...at, "variables_to_extract", index]),
        ),
        ...node.transitions.flatMap((transition, index) => [
          ...misspelled(transition, GRAPH_KEYS.transition, [...at, "transitions", index]),
          ...inCondition(transition.condition, [...at, "transitions", index, "condition"]),
        ]),
        ...(setting ? misspelled(setting, GRAPH_KEYS.globalSetting, [...at, "global_node_setting"]) : []),
        ...(setting?.go_back_conditions ?? []).flatMap((back, index) => {
          const path = [...at, "global_node_setting", "go_back_conditions", index];
          return [...misspelled(back, GRAPH_KEYS.goBack, path), ...inCondition(back.condition, [...path, "condition"])];
        }),
      ];
    }),
  ];
}

function inCondition(condition: TransitionCondition, at: Path): Finding[] {
  return [
    ...misspelled(condition, GRAPH_KEYS.condition, at),
    ...(condition.equations ?? []).flatMap((clause, index) =>
      misspelled(clause, GRAPH_KEYS.equation, [...at, "equations", index]),
    ),
  ];
}

function misspelled(record: object, known: readonly string[], at: Path): Finding[] {
  return Object.keys(record).flatMap((key): Finding[] => {
    if (known.includes(key)) return [];
    const meant = known.find((each) => isTypoOf(each, key));
    if (meant === undefined) return [];
    const where = at.length === 0 ? "the graph" : `"${at.join(".")}"`;
    const message = `nothing reads the key "${key}" of ${where}`;
    return [
      { code: "unknown-key", severity: "warning", path: [...at, key], message, hint: `Did you mean "${meant}"?` },
    ];
  });
}
