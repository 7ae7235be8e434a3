import type { Path } from "../../base/errors.ts";
import type { AgentGraph, TransitionCondition } from "../graph/mod.ts";

/** The graph with changed texts, wherever calls expand snippets: prompts, LLM conditions, descriptions, the opening. */
export function mapExpandedTexts<Graph extends AgentGraph>(
  graph: Graph,
  change: (text: string, path: Path) => string,
): Graph {
  const { general_prompt: general, begin_message: begin } = graph.source_metadata;
  const inCondition = (condition: TransitionCondition, path: Path) =>
    condition.type === "llm_prompt" ? { ...condition, value: change(condition.value, path) } : condition;
  const nodes = Object.entries(graph.nodes).map(([key, { global_node_setting: setting, ...node }]) => {
    const at = (...path: Path) => ["nodes", node.id, ...path];
    const changed = {
      ...node,
      state_prompt: change(node.state_prompt, at("state_prompt")),
      tools: node.tools.map((tool, index) => ({
        ...tool,
        description: change(tool.description, at("tools", index, "description")),
        ...(tool.url ? { url: change(tool.url, at("tools", index, "url")) } : {}),
      })),
      transitions: node.transitions.map((transition, index) => ({
        ...transition,
        condition: inCondition(transition.condition, at("transitions", index, "condition")),
        ...(transition.description
          ? { description: change(transition.description, at("transitions", index, "description")) }
          : {}),
      })),
      global_node_setting: setting && {
        ...setting,
        condition: change(setting.condition, at("global_node_setting")),
        go_back_conditions: setting.go_back_conditions.map((back, index) => ({
          ...back,
          condition: inCondition(back.condition, at("global_node_setting", "go_back_conditions", index, "condition")),
        })),
      },
    };
    return [key, changed] as const;
  });
  return {
    ...graph,
    nodes: Object.fromEntries(nodes),
    source_metadata: {
      ...graph.source_metadata,
      ...(general ? { general_prompt: change(general, ["source_metadata", "general_prompt"]) } : {}),
      ...(begin ? { begin_message: change(begin, ["source_metadata", "begin_message"]) } : {}),
    },
  };
}

/** The texts that {@link mapExpandedTexts} changes, with their paths. */
export function expandedTexts(graph: AgentGraph): readonly (readonly [Path, string])[] {
  const texts: (readonly [Path, string])[] = [];
  mapExpandedTexts(graph, (text, path) => {
    texts.push([path, text]);
    return text;
  });
  return texts;
}
