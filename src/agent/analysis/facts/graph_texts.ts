import type { Path } from "../../../base/errors.ts";
import { expandedTexts } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";

/** Every text that a call expands, and the snippets, which it expands them with. */
export function textsOf(graph: AgentGraph): readonly (readonly [Path, string])[] {
  const snippets = Object.entries(graph.snippets).map(([name, text]) => [["snippets", name], text] as const);
  return [...snippets, ...expandedTexts(graph)];
}

/** Every text in a document, metadata and tools included; the document that it was imported from is left out. */
export function* allTexts(value: unknown): Iterable<string> {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") yield next;
    else if (typeof next === "object" && next !== null)
      for (const [key, part] of Object.entries(next)) if (key !== "original") open.push(part);
  }
}
