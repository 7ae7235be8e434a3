import type { Path } from "../../src/errors.ts";
import { replaceSnippets } from "../../src/expressions/mod.ts";
import type { AgentGraph, TransitionCondition } from "../../src/graph/mod.ts";
import { own } from "../../src/values/mod.ts";
import { type LoweredGraph, mapNodes, type Pass } from "./pass.ts";

/** Expands the graph's snippets in a text, in one pass; unknown tags stay. */
export function expandSnippetsIn(text: string, { snippets }: Pick<AgentGraph, "snippets">): string {
  return replaceSnippets(text, (name) => own(snippets, name));
}

/** Writes snippets out wherever calls expand them: in prompts, conditions, and the opening. */
export const expandSnippets: Pass = {
  name: "expand-snippets",
  run: (graph) => ({ graph: { ...mapTexts(graph, (text) => expandSnippetsIn(text, graph)), snippets: {} } }),
};

/** One place where a graph uses a snippet. */
export interface SnippetUse {
  readonly name: string;
  /** Of the text in the graph, such as `["nodes", "greet", "state_prompt"]`. */
  readonly path: Path;
}

/** Where {@link expandSnippets} writes a snippet out, for the losses of a format. */
export function snippetUses(graph: AgentGraph): readonly SnippetUse[] {
  const uses: SnippetUse[] = [];
  if (Object.keys(graph.snippets).length === 0) return uses;
  mapTexts(graph, (text, path) =>
    replaceSnippets(text, (name) => {
      if (own(graph.snippets, name) !== undefined) uses.push({ name, path });
      return undefined;
    }),
  );
  return uses;
}

/** The graph with each text changed in which calls expand snippets. */
function mapTexts(graph: LoweredGraph, change: (text: string, path: Path) => string): LoweredGraph {
  const { general_prompt: general, begin_message: begin } = graph.source_metadata;
  const inCondition = (condition: TransitionCondition, path: Path) =>
    condition.type === "llm_prompt" ? { ...condition, value: change(condition.value, path) } : condition;
  const mapped = mapNodes(graph, ({ global_node_setting: setting, ...node }) => {
    const at = (...path: Path) => ["nodes", node.id, ...path];
    return {
      ...node,
      state_prompt: change(node.state_prompt, at("state_prompt")),
      tools: node.tools.map((tool, index) => ({
        ...tool,
        description: change(tool.description, at("tools", index, "description")),
        ...(tool.url ? { url: change(tool.url, at("tools", index, "url")) } : {}),
      })),
      transitions: node.transitions.map((transition, index) => ({
        ...transition,
        condition: inCondition(transition.condition, at("transitions", index)),
        ...(transition.description
          ? { description: change(transition.description, at("transitions", index, "description")) }
          : {}),
      })),
      global_node_setting: setting && {
        ...setting,
        condition: change(setting.condition, at("global_node_setting")),
        go_back_conditions: setting.go_back_conditions.map((back, index) => ({
          ...back,
          condition: inCondition(back.condition, at("global_node_setting", "go_back_conditions", index)),
        })),
      },
    };
  });
  return {
    ...mapped,
    source_metadata: {
      ...graph.source_metadata,
      ...(general ? { general_prompt: change(general, ["source_metadata", "general_prompt"]) } : {}),
      ...(begin ? { begin_message: change(begin, ["source_metadata", "begin_message"]) } : {}),
    },
  };
}
