import { mapExpandedTexts } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { replaceOccurrences } from "./occurrences.ts";
import { requireTexts, unknownText } from "./refused.ts";

/** Paths of texts that are no prompt and no condition. */
const OTHERS = new Set(["tools", "description"]);

/** The graph with a text replaced in prompts, snippets and LLM conditions, placeholders left as they are. */
export function replaceText(graph: AgentGraph, from: string, to: string): AgentGraph {
  const action = "replace a text";
  requireTexts(action, from, to);
  let isFound = false;
  const change = (text: string) => {
    const changed = replaceOccurrences(text, from, to);
    isFound ||= changed !== text || (from === to && text.includes(from));
    return changed;
  };
  const texts = mapExpandedTexts(graph, (text, path) =>
    path.some((part) => OTHERS.has(String(part))) ? text : change(text),
  );
  const snippets = Object.entries(graph.snippets).map(([name, text]) => [name, change(text)] as const);
  if (!isFound) throw unknownText(action);
  return { ...texts, snippets: Object.fromEntries(snippets) };
}
