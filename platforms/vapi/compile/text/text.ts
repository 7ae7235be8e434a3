import type { Path } from "../../../../src/base/errors.ts";
import { own } from "../../../../src/base/values/mod.ts";
import { replacePlaceholders, replaceSnippets } from "../../../../src/document/expressions/mod.ts";
import type { AgentNode } from "../../../../src/document/graph/mod.ts";
import type { LoweredGraph } from "../../../lower/mod.ts";
import { liquidText } from "../../shared/mod.ts";
import type { LossList } from "../common/mod.ts";
import { platformText, type VariableTable } from "./variables.ts";

/** Context of {@link emitText}. */
export interface TextContext {
  /** The lowered graph, without features that Vapi lacks. */
  readonly graph: LoweredGraph;
  /** The original graph. */
  readonly source: LoweredGraph;
  readonly variables: VariableTable;
  readonly losses: LossList;
  /** Whether a single assistant is emitted. It cannot store defaults, so they are written into placeholders. */
  readonly isAssistant: boolean;
}

/**
 * Converts a text to Liquid with Vapi's names of variables. An unknown snippet would be an error in Vapi, so it becomes
 * Liquid that prints the tag.
 */
export function emitText(text: string, path: Path, context: TextContext): string {
  const { graph, variables, losses } = context;
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const expanded = replaceSnippets(text, (name, tag) => {
    losses.add("unknown-snippet", path, name, tag);
    return `{{ ${liquidText(tag)} }}`;
  });
  return replacePlaceholders(expanded, (name) => {
    if (name.includes('"')) return undefined; // a Liquid string, such as the tag above
    const fallback = context.isAssistant ? own(defaults, name) : undefined;
    if (fallback !== undefined && fallback !== null)
      return `{{ ${variables.emitted(name)} | default: ${liquidText(typeof fallback === "object" ? JSON.stringify(fallback) : String(fallback))} }}`;
    const emitted = variables.names.get(name);
    if (emitted === undefined) return platformText(name, graph, losses);
    return emitted === name ? undefined : `{{${emitted}}}`;
  });
}

/** Converts the prompt or static text of a node. */
export function promptText({ id, state_prompt: prompt }: AgentNode, context: TextContext): string {
  return emitText(prompt, ["nodes", id, "state_prompt"], context);
}
