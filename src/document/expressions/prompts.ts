import { EngineError, type Path } from "../../base/errors.ts";
import { checkOptions, OPTION, own } from "../../base/values/mod.ts";
import type { AgentGraph, TransitionCondition } from "../graph/mod.ts";
import { replacePlaceholders, textOf } from "./equations.ts";

/** The snippets and variables of a prompt. */
export interface TemplateValues {
  readonly snippets: { readonly [name: string]: string };
  readonly variables: { readonly [name: string]: unknown };
}

const RULES = { text: OPTION.text, snippets: OPTION.object, variables: OPTION.object };

/**
 * Expands `{%snippet%}` and then `{{variable}}`, in one pass each. Unknown names stay, and inserted text is not
 * expanded again.
 *
 * @throws {EngineError} `invalid-option`.
 */
export function expandPrompt(text: string, values: TemplateValues): string {
  const given = { text: text ?? null, ...values };
  checkOptions(given, RULES, EngineError, "Cannot expand a prompt");
  const { snippets = {}, variables = {} } = values ?? {};
  return expandText(text, snippets, (name) => textOf(own(variables, name), name));
}

/** {@link expandPrompt} without its checks, for values that are texts. */
export function expandText(
  text: string,
  snippets: TemplateValues["snippets"],
  variableOf: (name: string) => string | undefined,
): string {
  const prompt = text.includes("{%") ? replaceSnippets(text, (name) => own(snippets, name)) : text;
  return prompt.includes("{{") ? replacePlaceholders(prompt, variableOf) : prompt;
}

/** Matches `{%name%}`. Braces and percent signs are excluded from names, so that `{% {%bye%}` contains `{%bye%}`. */
const TAG = /\{%([^{}%]*)%\}/g;

/** Tags of the Liquid language in Vapi's prompts: `{% if … %}` is not a snippet. */
const LIQUID_TAG =
  /^-?\s*(?:if|elsif|else|endif|unless|endunless|case|when|endcase|for|endfor|break|continue|assign|capture|endcapture|comment|endcomment|raw|endraw|cycle|increment|decrement|tablerow|endtablerow|liquid|echo|render|include)\b/;

/**
 * Replaces snippet tags in one pass: tags inside a snippet are not replaced again.
 *
 * @param textOf Returns the text of a snippet, or `undefined` to keep the tag.
 */
export function replaceSnippets(text: string, textOf: (name: string, tag: string) => string | undefined): string {
  return text.replace(TAG, (tag, inner: string) => textOf(inner.trim(), tag) ?? tag);
}

/** Returns the distinct names of snippets in a text, without Liquid tags. */
export function snippetsIn(text: string): readonly string[] {
  const names = [...text.matchAll(TAG)].map(([, inner = ""]) => inner.trim());
  return [...new Set(names.filter((name) => !LIQUID_TAG.test(name)))];
}

/** Returns the snippet and Liquid tags of a text as written. */
export function tagsIn(text: string): readonly string[] {
  return [...text.matchAll(TAG)].map(([tag]) => tag);
}

/** The graph with changed texts, wherever calls expand snippets: prompts, LLM conditions, descriptions, the opening. */
export function mapExpandedTexts<Graph extends AgentGraph>(
  graph: Graph,
  change: (text: string, path: Path) => string,
): Graph {
  const { general_prompt: general, begin_message: begin } = graph.source_metadata;
  const inCondition = (condition: TransitionCondition, path: Path) =>
    condition.type === "llm_prompt" ? { ...condition, value: change(condition.value, path) } : condition;
  const nodes = Object.entries(graph.nodes).map(([key, { global_node_setting: setting, ...node }]) => {
    const at = (...path: Path) => ["nodes", node.id, ...path];
    const changed = {
      ...node,
      state_prompt: change(node.state_prompt, at("state_prompt")),
      tools: node.tools.map((tool, index) => ({
        ...tool,
        description: change(tool.description, at("tools", index, "description")),
        ...(tool.url ? { url: change(tool.url, at("tools", index, "url")) } : {}),
      })),
      transitions: node.transitions.map((transition, index) => ({
        ...transition,
        condition: inCondition(transition.condition, at("transitions", index, "condition")),
        ...(transition.description
          ? { description: change(transition.description, at("transitions", index, "description")) }
          : {}),
      })),
      global_node_setting: setting && {
        ...setting,
        condition: change(setting.condition, at("global_node_setting")),
        go_back_conditions: setting.go_back_conditions.map((back, index) => ({
          ...back,
          condition: inCondition(back.condition, at("global_node_setting", "go_back_conditions", index, "condition")),
        })),
      },
    };
    return [key, changed] as const;
  });
  return {
    ...graph,
    nodes: Object.fromEntries(nodes),
    source_metadata: {
      ...graph.source_metadata,
      ...(general ? { general_prompt: change(general, ["source_metadata", "general_prompt"]) } : {}),
      ...(begin ? { begin_message: change(begin, ["source_metadata", "begin_message"]) } : {}),
    },
  };
}

/** The texts that {@link mapExpandedTexts} changes, with their paths. */
export function expandedTexts(graph: AgentGraph): readonly (readonly [Path, string])[] {
  const texts: (readonly [Path, string])[] = [];
  mapExpandedTexts(graph, (text, path) => {
    texts.push([path, text]);
    return text;
  });
  return texts;
}

/**
 * The variables that a call starts with, as text: the given ones, and defaults of the graph.
 *
 * @throws {EngineError} `invalid-option` for a value that JSON cannot represent.
 */
export function startVariables(graph: AgentGraph, values: { readonly [name: string]: unknown }): Map<string, string> {
  const variables = new Map<string, string>();
  for (const source of [graph.source_metadata.default_dynamic_variables ?? {}, values])
    for (const [name, value] of Object.entries(source)) {
      const text = textOf(value, name);
      if (text !== undefined) variables.set(name, text);
    }
  return variables;
}

/** A snippet tag in a text of a graph. */
export interface SnippetUse {
  readonly name: string;
  /** Path of the text, such as `["nodes", "greet", "state_prompt"]`. */
  readonly path: Path;
}

/** Returns each use of the graph's snippets, in the texts in which calls expand them. */
export function snippetUses(graph: AgentGraph): readonly SnippetUse[] {
  const uses: SnippetUse[] = [];
  if (Object.keys(graph.snippets).length === 0) return uses;
  mapExpandedTexts(graph, (text, path) =>
    replaceSnippets(text, (name) => {
      if (own(graph.snippets, name) !== undefined) uses.push({ name, path });
      return undefined;
    }),
  );
  return uses;
}
