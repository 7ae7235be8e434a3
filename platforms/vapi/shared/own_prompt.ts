import { replaceSnippets } from "../../../src/expressions/mod.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { own } from "../../../src/values/mod.ts";

/**
 * The prompt of a node as one text: Vapi has neither snippets nor instructions that members have in common. Only a
 * snippet's own tag is replaced, because every other `{% %}` is Liquid, which Vapi runs.
 */
export function ownPrompt(graph: AgentGraph, statePrompt: string): string {
  const expand = (text: string) => replaceSnippets(text, (name) => own(graph.snippets, name));
  const general = graph.source_metadata.general_prompt ?? "";
  return [general, statePrompt]
    .map(expand)
    .filter((text) => text !== "")
    .join("\n\n");
}
