import type { Path } from "../../../../src/errors.ts";
import { replacePlaceholders, replaceSnippets } from "../../../../src/expressions/mod.ts";
import type { AgentNode } from "../../../../src/graph/mod.ts";
import { own } from "../../../../src/values/mod.ts";
import type { LoweredGraph } from "../../../lower/mod.ts";
import { liquidText } from "../../shared/mod.ts";
import type { LossList } from "../common/mod.ts";
import { platformText } from "./platform_values.ts";
import type { VariableTable } from "./variables.ts";

/** What {@link emitText} needs to know of the graph. */
export interface TextContext {
  /** The graph as it is emitted, with what Vapi lacks compiled away. */
  readonly graph: LoweredGraph;
  /** The graph as the author has it. */
  readonly source: LoweredGraph;
  readonly variables: VariableTable;
  readonly losses: LossList;
  /** Whether one assistant is emitted, not a squad. It has no place for defaults: they go into each placeholder. */
  readonly isAssistant: boolean;
}

/**
 * Converts a text to one that Vapi renders: variables get the names that they have there. A snippet that does not exist
 * would end Vapi's rendering with an error, so it becomes Liquid that prints the tag.
 */
export function emitText(text: string, path: Path, context: TextContext): string {
  const { graph, variables, losses } = context;
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const expanded = replaceSnippets(text, (name, tag) => {
    losses.add("unknown-snippet", path, name, tag);
    return `{{ ${liquidText(tag)} }}`;
  });
  return replacePlaceholders(expanded, (name) => {
    if (name.includes('"')) return undefined; // Liquid's own, such as the text above
    const fallback = context.isAssistant ? own(defaults, name) : undefined;
    if (fallback !== undefined && fallback !== null)
      return `{{ ${variables.emitted(name)} | default: ${liquidText(String(fallback))} }}`;
    const emitted = variables.names.get(name);
    if (emitted === undefined) return platformText(name, graph, losses);
    return emitted === name ? undefined : `{{${emitted}}}`;
  });
}

/** The prompt of a node, or its fixed words. */
export function promptText({ id, state_prompt: prompt }: AgentNode, context: TextContext): string {
  return emitText(prompt, ["nodes", id, "state_prompt"], context);
}
