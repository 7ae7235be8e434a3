import { isRecord, type JsonObject, own, recordAt, records } from "../../../../src/base/values/mod.ts";
import { textOf } from "../../../../src/document/expressions/mod.ts";
import { comparesTexts } from "../../interpreted_call.ts";

/** What is known at one point of a call. */
export interface Moment {
  readonly variables: { readonly [name: string]: unknown };
  /** Whether the model says that a condition in words holds. */
  readonly holds: (prompt: string) => boolean;
}

/** Takes the first edge of a node that is true, in the order of the document; `default` last. Returns its target. */
export function nextOf(flow: JsonObject, id: string, moment: Moment): string | undefined {
  const edges = records(flow.edges).filter((edge) => edge.start_node_id === id);
  const typeOf = (edge: JsonObject) => recordAt(edge, "condition").type;
  const taken =
    edges.find((edge) => typeOf(edge) !== "default" && isTrue(recordAt(edge, "condition"), moment)) ??
    edges.find((edge) => typeOf(edge) === "default");
  const target = taken && recordAt(taken, "target");
  return target && String(target.node_id ?? target.assistant_id);
}

function isTrue(condition: JsonObject, moment: Moment): boolean {
  if (condition.type === "llm") return moment.holds(String(condition.prompt));
  return condition.type === "expression" && valueOfExpression(condition.expression, moment) === true;
}

/** The value of an expression; `undefined` for a variable that is not set. */
function valueOfExpression(expression: unknown, moment: Moment): unknown {
  if (!isRecord(expression)) throw new TypeError("an expression is an object");
  const { type, op, value, name } = expression;
  if (type === "variable") return textOf(own(moment.variables, String(name)));
  if (type !== "comparison" && type !== "bool_op") return value;
  const operands = Array.isArray(expression.operands) ? expression.operands : [];
  if (type === "bool_op") {
    const values = operands.map((each: unknown) => valueOfExpression(each, moment) === true);
    if (op === "not") return !values[0];
    return op === "and" ? values.every(Boolean) : values.some(Boolean);
  }
  const [left, right] = [expression.left, expression.right].map((each) => valueOfExpression(each, moment));
  return comparesTexts(String(op), textOf(left), textOf(right));
}
