import { replaceSnippets, snippetsIn } from "../../../src/expressions/mod.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { own } from "../../../src/values/mod.ts";
import { liquidText } from "./liquid_text.ts";

/**
 * The prompt of a node as one text: Vapi has neither snippets nor instructions that members have in common. Only a
 * snippet's own tag is replaced, because every other `{% %}` is Liquid, which Vapi runs.
 */
export function ownPrompt(graph: AgentGraph, statePrompt: string): string {
  const textOf = (name: string) => {
    const snippet = own(graph.snippets, name);
    return snippet === undefined ? undefined : withoutUnknownTags(snippet);
  };
  const general = graph.source_metadata.general_prompt ?? "";
  return [general, statePrompt]
    .map((text) => replaceSnippets(text, textOf))
    .filter((text) => text !== "")
    .join("\n\n");
}

/** A tag inside a snippet's text is no snippet; one that Liquid does not know would end Vapi's rendering with an error. */
function withoutUnknownTags(text: string): string {
  return replaceSnippets(text, (_, tag) => (snippetsIn(tag).length > 0 ? `{{ ${liquidText(tag)} }}` : undefined));
}
