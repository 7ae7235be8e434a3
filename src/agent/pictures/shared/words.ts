import {
  type AgentNode,
  type EquationClause,
  isSilent,
  isUnary,
  type Transition,
  type TransitionCondition,
} from "../../../document/graph/mod.ts";

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["contains", "contains"],
  ["not_contains", "does not contain"],
  ["exists", "is known"],
  ["not_exist", "is not known"],
  ["!=", "≠"],
  [">=", "≥"],
  ["<=", "≤"],
  ["==", "="],
]);

/** Describes when a transition is taken; empty when there is nothing to say. */
export function transitionLabel(transition: Transition, node: AgentNode): string {
  const { condition, timing } = transition;
  if (condition.type === "tool_call" && !condition.value && node.node_type === "transfer")
    return `transfer ${condition.outcome ?? "has ended"}`;
  if (condition.type !== "always") return conditionLabel(condition);
  if (timing === "else") return "else";
  if (timing === "skip_response") return "at once";
  return isSilent(node) && node.transitions.length > 1 ? "else" : "";
}

/** Describes a condition: the text of an LLM condition, or equations such as `age ≥ 18 and plan = gold`. */
export function conditionLabel(condition: TransitionCondition): string {
  switch (condition.type) {
    case "llm_prompt":
      return condition.value;
    case "equation": {
      const clauses = (condition.equations ?? []).map(clauseLabel);
      return clauses.length === 0 ? condition.value : clauses.join(` ${condition.logical_operator ?? "and"} `);
    }
    case "tool_call":
      return `${condition.value || "tool"} ${condition.outcome ?? "has answered"}`;
    case "always":
      return "";
  }
}

function clauseLabel({ left, operator, right }: EquationClause): string {
  const words = OPERATORS.get(operator) ?? operator;
  if (isUnary(operator)) return `${left} ${words}`;
  return `${left} ${words} ${right === "" || right === undefined || right === null ? '""' : String(right)}`;
}

/** Returns the lines of a node's label below its id: the variables it fills, or the tool it calls. */
export function nodeWords(node: AgentNode): readonly string[] {
  if (node.node_type === "extract") return node.variables_to_extract.map(({ name }) => `⟨${name}⟩`);
  if (node.node_type === "function") return node.tools.slice(0, 1).map(({ name }) => `${name}()`);
  return [];
}
