import { own } from "../../../src/base/values/mod.ts";
import { replaceSnippets, snippetsIn } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";

/**
 * Returns the prompt of a node with the general prompt and with snippets expanded, because Vapi supports neither. Other
 * `{% %}` tags are Liquid, which Vapi runs.
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

/** Escapes tags in a snippet's text, because snippets do not nest and unknown tags are an error in Liquid. */
function withoutUnknownTags(text: string): string {
  return replaceSnippets(text, (_, tag) => (snippetsIn(tag).length > 0 ? `{{ ${liquidText(tag)} }}` : undefined));
}

/** Formats a text as a Liquid string. Characters that could end the string or the tag are escaped in the form of LiquidJS. */
export function liquidText(text: string): string {
  const escaped = text.replace(
    /["'\\{}%\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}
