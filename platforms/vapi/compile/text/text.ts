import type { Path } from "../../../../src/errors.ts";
import { replacePlaceholders, replaceSnippets } from "../../../../src/expressions/mod.ts";
import type { AgentGraph } from "../../../../src/graph/mod.ts";
import { own } from "../../../../src/values/mod.ts";
import type { LoweredGraph } from "../../../lower/mod.ts";
import { liquidText } from "../../shared/mod.ts";
import type { LossList } from "../common/mod.ts";
import { platformText } from "./platform_values.ts";
import type { VariableTable } from "./variable_table.ts";

/** What a text of the graph needs to become one of Vapi's. */
export interface TextContext {
  /** The graph as it is emitted, with what Vapi lacks compiled away. */
  readonly graph: LoweredGraph;
  /** The graph as the author has it. */
  readonly source: AgentGraph;
  readonly variables: VariableTable;
  readonly losses: LossList;
  /** Assistants have no place for defaults: they go into each placeholder. */
  readonly inlineDefaults: boolean;
}

/**
 * A text as Vapi renders it: variables by the names they have there. A snippet that does not exist
 * would end Vapi's rendering with an error, so it is written as Liquid that prints it to the letter.
 */
export function emitText(text: string, path: Path, context: TextContext): string {
  const { graph, variables, losses } = context;
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const expanded = replaceSnippets(text, (name, tag) => {
    losses.emulated(
      "unknown-snippet",
      path,
      `"${tag}" names no snippet, and Vapi reads it as a Liquid tag`,
      "Liquid that prints it to the letter",
      `Add the snippet "${name}" or take it out of the text`,
    );
    return `{{ ${liquidText(tag)} }}`;
  });
  return replacePlaceholders(expanded, (name) => {
    if (name.includes('"')) return undefined; // Liquid's own, such as the text above
    const renamed = variables.renamed.get(name);
    const fallback = context.inlineDefaults ? own(defaults, name) : undefined;
    if (fallback !== undefined && fallback !== null) {
      return `{{ ${variables.emitted(name)} | default: ${liquidText(String(fallback))} }}`;
    }
    if (renamed !== undefined) return `{{${renamed}}}`;
    return variables.isOwn(name) ? undefined : platformText(name, graph, losses);
  });
}
