import { snippetsIn, tagsIn } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";

/** Shorter paragraphs are often alike on purpose. */
const LEAST_CHARACTERS = 120;

/** A paragraph of a node's prompt, or the part of it before, between or after snippet tags. */
export interface Paragraph {
  readonly node: string;
  /** With single spaces, so that the same words in other lines are the same text. */
  readonly text: string;
  /** As the prompt has it, without white space around it. */
  readonly written: string;
}

/** The paragraphs of nodes' prompts that are long enough to be worth a snippet. */
export function paragraphsOf(graph: AgentGraph): readonly Paragraph[] {
  return Object.entries(graph.nodes).flatMap(([node, { state_prompt: prompt }]) =>
    prompt.length < LEAST_CHARACTERS
      ? []
      : prompt
          .split(/\n\s*\n/)
          .flatMap(withoutSnippets)
          .map((part) => ({ node, text: part.replace(/\s+/g, " ").trim(), written: part.trim() }))
          .filter(({ text }) => text.length >= LEAST_CHARACTERS),
  );
}

/** A snippet cannot hold a snippet, so the parts around its tags are compared. */
function withoutSnippets(paragraph: string): readonly string[] {
  if (!paragraph.includes("{%")) return [paragraph];
  const tags = new Set(tagsIn(paragraph).filter((tag) => snippetsIn(tag).length > 0));
  return [...tags].reduce<readonly string[]>((parts, tag) => parts.flatMap((part) => part.split(tag)), [paragraph]);
}
