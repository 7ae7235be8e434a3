import { own } from "../../../base/values/mod.ts";
import { clausesText } from "../../../document/expressions/mod.ts";
import type { AgentGraph, TransitionCondition } from "../../../document/graph/mod.ts";

/** The text of a condition: of an LLM condition, or its equations. Empty for one that always holds. */
export function writtenCondition(condition: TransitionCondition): string {
  const { type, value, outcome } = condition;
  if (type === "llm_prompt") return value;
  if (type === "equation") return clausesText(condition);
  if (type === "tool_call") return [value || "any tool", outcome ?? "has answered"].join(" ");
  return "";
}

/** A transition in a sentence: `transition 0 to "book" ("Caller wants to book")`. */
export function transitionInSentence(graph: AgentGraph, node: string, index: number): string {
  const transition = own(graph.nodes, node)?.transitions[index];
  if (!transition) return `transition ${index}`;
  const condition = writtenCondition(transition.condition);
  return `transition ${index} to "${transition.target_node_id}" (${condition === "" ? "always" : JSON.stringify(condition)})`;
}
