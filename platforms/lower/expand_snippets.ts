import { mapExpandedTexts, replaceSnippets } from "../../src/expressions/mod.ts";
import type { AgentGraph } from "../../src/graph/mod.ts";
import { own } from "../../src/values/mod.ts";
import type { Pass } from "./pass.ts";

/** Replaces the graph's snippets in a text, in one pass. Unknown tags stay. */
export function expandSnippetsIn(text: string, { snippets }: Pick<AgentGraph, "snippets">): string {
  return replaceSnippets(text, (name) => own(snippets, name));
}

/** Replaces snippets in prompts, conditions and the opening, as calls do. */
export const expandSnippets: Pass = {
  name: "expand-snippets",
  run: (graph) => ({ graph: { ...mapExpandedTexts(graph, (text) => expandSnippetsIn(text, graph)), snippets: {} } }),
};
