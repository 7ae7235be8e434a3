import type { Path } from "../../errors.ts";
import type { AgentGraph } from "../../graph/mod.ts";
import { conditionsOf } from "./conditions.ts";

/** Every text that a call expands. */
export function textsOf(graph: AgentGraph): readonly (readonly [Path, string])[] {
  const { general_prompt: prompt, begin_message: opening } = graph.source_metadata;
  return [
    [["source_metadata", "general_prompt"], prompt ?? ""],
    [["source_metadata", "begin_message"], opening ?? ""],
    ...Object.entries(graph.snippets).map(([name, text]) => [["snippets", name], text] as const),
    ...Object.entries(graph.nodes).flatMap(([id, node]) => [
      [["nodes", id, "state_prompt"], node.state_prompt] as const,
      ...conditionsOf(id, node)
        .filter(([, condition]) => condition.type === "llm_prompt")
        .map(([path, condition]) => [path, condition.value] as const),
    ]),
  ];
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
