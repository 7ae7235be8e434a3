import { GraphError } from "../../../base/errors.ts";
import { checkOptions, didYouMean, OPTION, own, shown } from "../../../base/values/mod.ts";
import { mapExpandedTexts, replaceSnippets, snippetsIn } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { mapPrompts } from "./map_graph.ts";
import { refusedEdit, requireTexts, unknownText } from "./refused.ts";
import { occurrencesOf, replaceOccurrences } from "./rename.ts";

/** Options of `extractSnippet()`. */
export interface ExtractSnippetOptions {
  /** Other wordings that the snippet replaces too; callers then hear the snippet's wording. */
  readonly variants?: readonly string[];
}

const EXTRACT = "extract a snippet";

/** The graph with a text of prompts as a snippet. Texts inside placeholders stay, because a tag has no effect there. */
export function extractSnippet(
  graph: AgentGraph,
  name: string,
  text: string,
  options: ExtractSnippetOptions = {},
): AgentGraph {
  checkOptions(options, { variants: OPTION.texts }, GraphError, `Cannot ${EXTRACT}`);
  const forms = [text, ...(options.variants ?? [])];
  requireTexts(EXTRACT, name, ...forms);
  const existing = own(graph.snippets, name);
  if ((existing !== undefined && existing !== text) || /[{}%]|^\s|\s$/.test(name)) {
    const state = `the name "${name}" is taken, or has braces or spaces around it`;
    throw refusedEdit(EXTRACT, "duplicate-snippet", state, "Choose another name");
  }
  if (!isSnippetText(text)) {
    const state = "its text has a snippet, or begins or ends with a brace";
    throw refusedEdit(EXTRACT, "invalid-option", state, "Choose a text without braces at its ends");
  }
  let isFound = false;
  const changed = mapPrompts(graph, (prompt) => {
    const put = putSnippet(prompt, name, forms);
    isFound ||= put !== prompt;
    return put;
  });
  if (!isFound) throw unknownText(EXTRACT);
  return { ...changed, snippets: Object.fromEntries([...Object.entries(graph.snippets), [name, text]]) };
}

/** Whether a snippet can have a text: snippets do not nest, and braces at its ends would join those of the tag. */
export function isSnippetText(text: string): boolean {
  return snippetsIn(text).length === 0 && !/^[}%]|[{%]$|^\{(?!\{)|(?<!\})\}$/.test(text);
}

/** A prompt with the tag of a snippet in place of its text. */
export function putSnippet(prompt: string, name: string, forms: readonly string[]): string {
  // a longer form may contain a shorter one
  const longestFirst = forms.length > 1 ? forms.toSorted((one, other) => other.length - one.length) : forms;
  return longestFirst.reduce((text, form) => {
    const isBetweenBraces = occurrencesOf(form, text).some(
      (at) => /[{%]/.test(text[at - 1] ?? "") || /[}%]/.test(text[at + form.length] ?? ""),
    );
    return isBetweenBraces ? text : replaceOccurrences(text, form, `{%${name}%}`);
  }, prompt);
}

/** The graph with a snippet's text wherever calls expand it, and without the snippet. */
export function inlineSnippet(graph: AgentGraph, name: string): AgentGraph {
  const action = "inline a snippet";
  const text = typeof name === "string" ? own(graph.snippets, name) : undefined;
  if (text === undefined) {
    const names = Object.keys(graph.snippets);
    const hint = typeof name === "string" ? didYouMean(name, names, "Name a snippet of the graph") : "Pass a name";
    throw refusedEdit(action, "unknown-snippet", `there is no snippet ${shown(name)}`, hint);
  }
  const nested = snippetsIn(text).find((inner) => own(graph.snippets, inner) !== undefined);
  if (nested !== undefined) {
    // calls expand snippets once, so the inner tag is spoken as it is written; in a prompt it would be expanded
    const state = `its text has the tag {%${nested}%}, which calls do not expand there`;
    throw refusedEdit(action, "invalid-option", state, `Write the text of "${nested}" into "${name}" first`);
  }
  const put = (prompt: string) => replaceSnippets(prompt, (used) => (used === name ? text : undefined));
  const snippets = Object.entries(graph.snippets).filter(([each]) => each !== name);
  return { ...mapExpandedTexts(graph, put), snippets: Object.fromEntries(snippets) };
}
