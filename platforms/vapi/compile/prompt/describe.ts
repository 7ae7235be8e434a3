import { clauseWords, replacePlaceholders, rightOf } from "../../../../src/document/expressions/mod.ts";
import type { AgentNode, EquationClause, Transition } from "../../../../src/document/graph/mod.ts";
import type { Guard, Route } from "../../../lower/mod.ts";
import { type EmitContext, outcomeWords } from "../plan/mod.ts";

/** Describes for the model when a route is taken, including its equations, so that the model expects rejections. */
export function describeRoute(route: Route, context: EmitContext): string {
  const told = describeGuard(route.guard, context);
  const judged = route.texts.filter((text) => text !== "").join(", and ");
  const known = `As soon as ${told || "you have said what this step asks for"}`;
  const when = judged && told ? `${judged} (only while ${told})` : judged || known;
  return route.back ? `${when}: back to where the caller came from, "${route.back.origin}"` : when;
}

/** Describes the condition of a transition. */
export function describeCondition(node: AgentNode, transition: Transition, context: EmitContext): string {
  const { type, value, equations, logical_operator: operator } = transition.condition;
  if (type === "tool_call") return outcomeWords(node, transition);
  if (type !== "equation") return value;
  const clauses = (equations ?? []).map((clause) => describeClause(clause, context));
  return clauses.join(operator === "or" ? " or " : " and ");
}

/** Describes the equations of a guard, without negations. */
function describeGuard(guard: Guard, context: EmitContext): string {
  if (guard.kind === "clause") return describeClause(guard.clause, context);
  if (guard.kind === "is" || guard.kind === "not") return "";
  const parts = guard.guards.map((part) => describeGuard(part, context)).filter((part) => part !== "");
  return parts.join(guard.kind === "all" ? " and " : " or ");
}

function describeClause(clause: EquationClause, { variables }: EmitContext): string {
  const { text, variable } = rightOf(clause);
  const value = replacePlaceholders(text, (name) => `[${variables.emitted(name)}]`).replace(/[{}%]/g, "");
  const isNumber = /^-?\d+(\.\d+)?$/.test(value);
  const right = variable === undefined ? `"${value}"` : variables.emitted(variable);
  return clauseWords(variables.emitted(clause.left), clause.operator, isNumber ? value : right);
}
