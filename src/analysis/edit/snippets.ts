import { mapExpandedTexts, replaceSnippets, snippetsIn } from "../../expressions/mod.ts";
import type { AgentGraph } from "../../graph/mod.ts";
import { didYouMean, own, shown } from "../../values/mod.ts";
import { mapPrompts } from "./map_graph.ts";
import { occurrencesOf, replaceOccurrences } from "./occurrences.ts";
import { checkTexts, refused, unknownText } from "./refused.ts";

/** The graph with a text of prompts as a snippet. Texts between braces stay, where its tag would not be a tag. */
export function extractSnippet(graph: AgentGraph, name: string, text: string): AgentGraph {
  const action = "extract a snippet";
  checkTexts(action, name, text);
  if (own(graph.snippets, name) !== undefined || /[{}%]|^\s|\s$/.test(name)) {
    const state = `the name "${name}" is taken, or has braces or spaces around it`;
    throw refused(action, "duplicate-snippet", state, "Choose another name");
  }
  if (snippetsIn(text).length > 0 || /^[}%]|[{%]$|^\{(?!\{)|(?<!\})\}$/.test(text)) {
    const state = "its text has a snippet, or begins or ends with a brace";
    throw refused(action, "invalid-option", state, "Choose a text without braces at its ends");
  }
  let count = 0;
  const changed = mapPrompts(graph, (prompt) => {
    const places = occurrencesOf(text, prompt);
    if (places.some((at) => /[{%]/.test(prompt[at - 1] ?? "") || /[}%]/.test(prompt[at + text.length] ?? "")))
      return prompt;
    count += places.length;
    return replaceOccurrences(prompt, text, `{%${name}%}`);
  });
  if (count === 0) throw unknownText(action);
  return { ...changed, snippets: Object.fromEntries([...Object.entries(graph.snippets), [name, text]]) };
}

/** The graph with a snippet's text wherever calls expand it, and without the snippet. */
export function inlineSnippet(graph: AgentGraph, name: string): AgentGraph {
  const action = "inline a snippet";
  const text = typeof name === "string" ? own(graph.snippets, name) : undefined;
  if (text === undefined) {
    const names = Object.keys(graph.snippets);
    const hint = typeof name === "string" ? didYouMean(name, names, "Name a snippet of the graph") : "Pass a name";
    throw refused(action, "unknown-snippet", `there is no snippet ${shown(name)}`, hint);
  }
  const nested = snippetsIn(text).find((inner) => own(graph.snippets, inner) !== undefined);
  if (nested !== undefined) {
    // calls expand snippets once, so the inner tag is spoken as it is written; in a prompt it would be expanded
    const state = `its text has the tag {%${nested}%}, which calls do not expand there`;
    throw refused(action, "invalid-option", state, `Write the text of "${nested}" into "${name}" first`);
  }
  const put = (prompt: string) => replaceSnippets(prompt, (used) => (used === name ? text : undefined));
  const snippets = Object.entries(graph.snippets).filter(([each]) => each !== name);
  return { ...mapExpandedTexts(graph, put), snippets: Object.fromEntries(snippets) };
}
