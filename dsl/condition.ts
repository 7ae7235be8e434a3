import { FlowError } from "../src/base/errors.ts";
import { isRecord } from "../src/base/values/mod.ts";
import type { EquationClause, TransitionCondition } from "../src/document/graph/mod.ts";
import type { Variables } from "./variables.ts";

/** Operators per kind of variable. */
export interface OperatorsOf {
  readonly string: "==" | "!=" | "contains" | "not_contains" | "exists" | "not_exist";
  readonly number: "==" | "!=" | ">" | ">=" | "<" | "<=" | "exists" | "not_exist";
  readonly boolean: "==" | "!=" | "exists" | "not_exist";
  readonly enum: "==" | "!=" | "exists" | "not_exist";
}

/** A right side that refers to the value of another variable. */
export interface VariableReference<Name> {
  readonly variable: Name;
}

/** Type of the right side of an equation; `exists` and `not_exist` have none. */
export type RightSide<Vars extends Variables, Name extends keyof Vars, Operator> = Operator extends
  | "exists"
  | "not_exist"
  ? []
  : [value: Vars[Name]["choices"][number] | VariableReference<keyof Vars>];

/** Operators that a variable supports. */
export type OperatorOf<Vars extends Variables, Name extends keyof Vars> = OperatorsOf[Vars[Name]["type"]];

/**
 * Compares a variable: `when("intent", "==", "book")`, `when("age", ">=", 18)`, `when("email", "exists")`. The
 * variable's declaration decides which operators and values are allowed. `{ variable: "other" }` compares with the value
 * of another variable; a plain value is a literal, also where a variable has that name.
 */
export type When<Vars extends Variables> = <
  const Name extends keyof Vars & string,
  const Operator extends OperatorOf<Vars, Name>,
>(
  variable: Name,
  operator: Operator,
  ...value: RightSide<Vars, Name, Operator>
) => Equation<Vars>;

/** Adds a comparison, given as arguments or as an equation of `when`. */
export type Join<Vars extends Variables, Joined> = <
  const Name extends keyof Vars & string,
  const Operator extends OperatorOf<Vars, Name>,
>(
  ...other:
    | readonly [variable: Name, operator: Operator, ...RightSide<Vars, Name, Operator>]
    | readonly [ReadyCondition]
) => Joined;

/** A finished equation. */
export interface ReadyCondition {
  /** Returns the condition in document form. */
  condition(): TransitionCondition;
}

/** One comparison of a variable. It is evaluated without a model call. */
export interface Equation<Vars extends Variables> extends ReadyCondition {
  readonly and: Join<Vars, AllOf<Vars>>;
  readonly or: Join<Vars, AnyOf<Vars>>;
}

/** Comparisons that must all be true. Conditions have no brackets, so `or` cannot follow `and`. */
export interface AllOf<Vars extends Variables> extends ReadyCondition {
  readonly and: Join<Vars, AllOf<Vars>>;
}

/** Comparisons of which one must be true. Conditions have no brackets, so `and` cannot follow `or`. */
export interface AnyOf<Vars extends Variables> extends ReadyCondition {
  readonly or: Join<Vars, AnyOf<Vars>>;
}

type Operand = readonly [left: string | ReadyCondition, operator?: string, ...value: readonly unknown[]];

/** An {@link Equation} that also accepts untyped arguments, which `compile()` validates. */
export class Clauses implements ReadyCondition {
  readonly #clauses: readonly EquationClause[];
  readonly #logic: "and" | "or" | undefined;

  constructor(clauses: readonly EquationClause[], logic?: "and" | "or") {
    this.#clauses = clauses;
    this.#logic = logic;
  }

  and(...operand: Operand): Clauses {
    return this.#join("and", operand);
  }

  or(...operand: Operand): Clauses {
    return this.#join("or", operand);
  }

  condition(): TransitionCondition {
    const logic = this.#logic ? { logical_operator: this.#logic } : {};
    return { type: "equation", value: "", equations: this.#clauses, ...logic };
  }

  #join(logic: "and" | "or", operand: Operand): Clauses {
    const [left, operator = "", ...value] = operand;
    const other = (isReady(left) ? left : when(left, operator, ...value)).condition();
    const mixed = [this.#logic, other.logical_operator].some((own) => own && own !== logic);
    if (mixed) throw mixedLogic();
    return new Clauses([...this.#clauses, ...(other.equations ?? [])], logic);
  }
}

/** Creates the equation that {@link When} describes. */
export function when(variable: string, operator: string, ...value: readonly unknown[]): Clauses {
  return new Clauses([Object.freeze({ left: variable, operator, ...rightOf(value) })]);
}

/** Whether a value is an equation of `when`. */
export function isReady(value: unknown): value is ReadyCondition {
  return isRecord(value) && typeof value.condition === "function";
}

function rightOf([right]: readonly unknown[]): { right?: string | number | boolean } {
  if (typeof right === "string" || typeof right === "number" || typeof right === "boolean") return { right };
  if (typeof right === "object" && right !== null && "variable" in right)
    return { right: `{{${String(right.variable)}}}` };
  return {};
}

function mixedLogic(): FlowError {
  return new FlowError('Cannot combine equations: "and" and "or" are mixed', {
    code: "equation-mismatch",
    hint: "Split them into two transitions: the document has no brackets",
  });
}
