import type { Path } from "../../base/errors.ts";
import { own } from "../../base/values/mod.ts";
import type { AgentGraph } from "../graph/mod.ts";
import { mapExpandedTexts } from "./expanded_texts.ts";
import { replaceSnippets } from "./snippets.ts";

/** A snippet tag in a text of a graph. */
export interface SnippetUse {
  readonly name: string;
  /** Path of the text, such as `["nodes", "greet", "state_prompt"]`. */
  readonly path: Path;
}

/** Returns each use of the graph's snippets, in the texts in which calls expand them. */
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
