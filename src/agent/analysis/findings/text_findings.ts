import { didYouMean } from "../../../base/values/mod.ts";
import { isKnownPlaceholder, placeholdersIn, snippetsIn } from "../../../document/expressions/mod.ts";
import type { AgentGraph, Finding } from "../../../document/graph/mod.ts";
import { knownVariables, textsOf } from "../facts/mod.ts";

/** Block tags of Handlebars and Mustache, such as `{{#if open}}` and `{{/if}}`, name no variable. */
const BLOCK_TAG = /^[#/^!>]|^else$/;

/** A reference to a secret, which `emit()` fills from the environment. */
const ENVIRONMENT = /^env:[A-Za-z_]\w*$/;

/** Findings for placeholders and snippets that nothing fills. */
export function textFindings(graph: AgentGraph): Finding[] {
  const variables = knownVariables(graph);
  const snippets = new Set(Object.keys(graph.snippets));
  return textsOf(graph).flatMap(([path, text]) => [
    ...placeholdersIn(text)
      .filter((name) => !isKnownPlaceholder(name, variables) && !ENVIRONMENT.test(name) && !BLOCK_TAG.test(name))
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
