import type { Path } from "../../errors.ts";
import { expandedTexts, snippetsIn } from "../../expressions/mod.ts";
import { type AgentGraph, toGraph } from "../../graph/mod.ts";
import { own } from "../../values/mod.ts";
import type { SnippetAnalysis, SnippetUsage } from "./snippet_analysis.ts";
import { suggestionsFor } from "./suggestions.ts";

/**
 * Lists the snippets of a graph, and suggests snippets for paragraphs of at least 120 characters that several prompts
 * repeat, word by word or nearly. `editGraph(graph).extractSnippet(name, text, { variants })` applies a suggestion.
 *
 * @throws {GraphError} `not-a-graph`.
 */
export function analyseSnippets(graph: AgentGraph): SnippetAnalysis {
  const checked = toGraph(graph, "Cannot analyse snippets");
  return { snippets: usagesIn(checked), suggestions: suggestionsFor(checked) };
}

function usagesIn(graph: AgentGraph): readonly SnippetUsage[] {
  const uses = new Map(Object.keys(graph.snippets).map((name): [string, Path[]] => [name, []]));
  for (const [path, text] of expandedTexts(graph)) for (const name of snippetsIn(text)) uses.get(name)?.push(path);
  return [...uses].map(([name, paths]) => ({ name, characters: own(graph.snippets, name)?.length ?? 0, uses: paths }));
}
