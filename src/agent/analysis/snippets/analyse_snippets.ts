import type { Path } from "../../../base/errors.ts";
import { own } from "../../../base/values/mod.ts";
import { expandedTexts, snippetsIn } from "../../../document/expressions/mod.ts";
import { type AgentGraph, toGraph } from "../../../document/graph/mod.ts";
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
