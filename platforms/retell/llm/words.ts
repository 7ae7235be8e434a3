import type { AgentNode, EquationClause, Transition, TransitionCondition } from "../../../src/graph/mod.ts";
import { OPERATOR_WORDS } from "../../operator_words.ts";

/** A condition in words, for a model that has nothing but words to go by. */
export function conditionInWords(transition: Transition, node: AgentNode): string {
  const { condition, timing } = transition;
  switch (condition.type) {
    case "llm_prompt":
      return condition.value;
    case "equation":
      return equationsInWords(condition);
    case "tool_call":
      return outcomeInWords(condition);
    case "always":
      if (node.node_type !== "conversation") return "Otherwise, at once";
      if (timing === "else") return "None of the other transitions applies";
      if (timing === "skip_response") return "Right after you have spoken, without waiting for an answer";
      return "After you have spoken and the caller has answered, whatever the answer is";
  }
}

/** Equations in words: `{{age}} is at least 18 and {{name}} is known`. */
export function equationsInWords({ equations, logical_operator: operator }: TransitionCondition): string {
  return (equations ?? []).map(clauseInWords).join(operator === "or" ? " or " : " and ");
}

function clauseInWords({ left, operator, right }: EquationClause): string {
  if (operator === "exists") return `{{${left}}} is known`;
  if (operator === "not_exist") return `{{${left}}} is not known`;
  return `{{${left}}} ${OPERATOR_WORDS.get(operator) ?? operator} ${JSON.stringify(String(right ?? ""))}`;
}

function outcomeInWords({ value, outcome }: TransitionCondition): string {
  const tool = value ? `The tool ${value}` : "The tool";
  if (outcome === "succeeded") return `${tool} succeeded`;
  return outcome === "failed" ? `${tool} failed` : `${tool} has answered`;
}

/** What a state that stands for a silent node is told to do. */
export function silentPrompt(node: AgentNode, work: string, exits: readonly (readonly [name: string, when: string])[]) {
  const lines = exits.map(([name, when], index) => `${index + 1}. To ${name}: ${when}`);
  const route =
    lines.length > 0 ? ["Then take the first of these transitions that applies, without speaking:", ...lines] : [];
  return [node.state_prompt, `Say nothing to the caller in this state. ${work}`.trim(), ...route]
    .filter(Boolean)
    .join("\n");
}
