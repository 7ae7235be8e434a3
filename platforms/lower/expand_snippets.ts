import type { Path } from "../../src/errors.ts";
import { mapExpandedTexts, replaceSnippets } from "../../src/expressions/mod.ts";
import type { AgentGraph } from "../../src/graph/mod.ts";
import { own } from "../../src/values/mod.ts";
import type { Pass } from "./pass.ts";

/** Expands the graph's snippets in a text, in one pass; unknown tags stay. */
export function expandSnippetsIn(text: string, { snippets }: Pick<AgentGraph, "snippets">): string {
  return replaceSnippets(text, (name) => own(snippets, name));
}

/** Writes snippets out wherever calls expand them: in prompts, conditions, and the opening. */
export const expandSnippets: Pass = {
  name: "expand-snippets",
  run: (graph) => ({ graph: { ...mapExpandedTexts(graph, (text) => expandSnippetsIn(text, graph)), snippets: {} } }),
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
  mapExpandedTexts(graph, (text, path) =>
    replaceSnippets(text, (name) => {
      if (own(graph.snippets, name) !== undefined) uses.push({ name, path });
      return undefined;
    }),
  );
  return uses;
}
