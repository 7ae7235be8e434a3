import { replaceSnippets } from "../../src/expressions/mod.ts";
import type { AgentGraph, TransitionCondition } from "../../src/graph/mod.ts";
import { own } from "../../src/values/mod.ts";
import { mapNodes, type Pass } from "./pass.ts";

/** A text with the graph's snippets written out, once; a tag of no snippet stays. */
export function expandSnippetsIn(text: string, { snippets }: Pick<AgentGraph, "snippets">): string {
  return replaceSnippets(text, (name) => own(snippets, name));
}

/** Writes snippets out wherever calls expand them: in prompts, conditions, and the opening. */
export const expandSnippets: Pass = {
  name: "expand-snippets",
  run: (graph) => {
    const { general_prompt: general, begin_message: begin } = graph.source_metadata;
    const expand = (text: string) => expandSnippetsIn(text, graph);
    const inCondition = (condition: TransitionCondition) =>
      condition.type === "llm_prompt" ? { ...condition, value: expand(condition.value) } : condition;
    const expanded = mapNodes(graph, ({ global_node_setting: setting, ...node }) => ({
      ...node,
      state_prompt: expand(node.state_prompt),
      tools: node.tools.map((tool) => ({
        ...tool,
        description: expand(tool.description),
        ...(tool.url ? { url: expand(tool.url) } : {}),
      })),
      transitions: node.transitions.map((transition) => ({
        ...transition,
        condition: inCondition(transition.condition),
        ...(transition.description ? { description: expand(transition.description) } : {}),
      })),
      global_node_setting: setting && {
        ...setting,
        condition: expand(setting.condition),
        go_back_conditions: setting.go_back_conditions.map((back) => ({
          ...back,
          condition: inCondition(back.condition),
        })),
      },
    }));
    return {
      graph: {
        ...expanded,
        source_metadata: {
          ...graph.source_metadata,
          ...(general ? { general_prompt: expand(general) } : {}),
          ...(begin ? { begin_message: expand(begin) } : {}),
        },
        snippets: {},
      },
    };
  },
};
