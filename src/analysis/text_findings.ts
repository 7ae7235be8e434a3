import type { Path } from "../errors.ts";
import { isKnownPlaceholder, placeholdersIn, snippetsIn } from "../expressions/mod.ts";
import type { AgentGraph, Finding } from "../graph/mod.ts";
import { didYouMean } from "../values/mod.ts";
import { conditionsOf } from "./conditions.ts";
import { knownVariables } from "./known_variables.ts";

/** A reference to a secret, which `emit()` fills from the environment. */
const ENVIRONMENT = /^env:[A-Za-z_]\w*$/;

/** Findings for placeholders and snippets that nothing fills. */
export function textFindings(graph: AgentGraph): Finding[] {
  const variables = knownVariables(graph);
  const snippets = new Set(Object.keys(graph.snippets));
  return textsOf(graph).flatMap(([path, text]) => [
    ...placeholdersIn(text)
      .filter((name) => !isKnownPlaceholder(name, variables) && !ENVIRONMENT.test(name))
      .map((name): Finding => {
        const message = `nothing in the graph fills {{${name}}}`;
        const hint = didYouMean(name, variables.keys(), `Give "${name}" to every call, or extract it first`);
        return { code: "undeclared-variable", severity: "info", path, message, hint };
      }),
    ...snippetsIn(text)
      .filter((name) => !snippets.has(name))
      .map((name): Finding => {
        const message = `snippet {%${name}%} does not exist`;
        const hint = didYouMean(name, snippets, `Add "${name}" to "snippets"`);
        return { code: "unknown-snippet", severity: "warning", path, message, hint };
      }),
  ]);
}

/** Every text that a call expands. */
function textsOf(graph: AgentGraph): readonly (readonly [Path, string])[] {
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
