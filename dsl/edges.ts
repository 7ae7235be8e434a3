import { FlowError, type Issue } from "../src/base/errors.ts";
import { isRecord, OPTION, type OptionRules, oneOf, optionIssues, shown } from "../src/base/values/mod.ts";
import type { EquationClause, Transition, TransitionCondition } from "../src/document/graph/mod.ts";
import { codeReference, isVariableName } from "../src/document/secrets/mod.ts";
import { DOCUMENT_OPTION, type DocumentFields, type DocumentOption } from "./document_fields.ts";
import type { Declarations } from "./flow_graph.ts";
import { PLATFORM_OPTIONS, type PlatformOptions, platformFields } from "./typed_fields.ts";
import type { Variables } from "./variables.ts";

/**
 * Refers to an environment variable, for keys that a flow's tools need on a platform. The document contains
 * `{{env:NAME}}`; `emit(graph, format, { env })` and `callweave emit` replace it with the value.
 *
 * The same reference in an imported document, or in a text that the program read from elsewhere, is not replaced: its
 * author could send any variable to any host.
 *
 * @returns A placeholder for texts of this flow. It has no meaning elsewhere.
 * @throws {FlowError} `invalid-option` when the name cannot be a variable's name.
 * @example
 * ```ts
 * import { env, tool } from "callweave";
 *
 * const find = tool({
 *   name: "find_customer",
 *   description: "Finds a customer by phone number",
 *   url: "https://crm.example.com/find",
 *   retell: { headers: { Authorization: `Bearer ${env("CRM_TOKEN")}` } },
 * });
 * ```
 */
export function env(name: string): string {
  if (typeof name === "string" && isVariableName(name)) return codeReference(name);
  throw new FlowError(`Cannot refer to the environment: the variable's name is ${shown(name)}`, {
    code: "invalid-option",
    path: ["name"],
    hint: "Pass letters, digits and underscores: CRM_TOKEN",
  });
}

/** Options of a transition: its timing, and its description for the model. */
export interface EdgeOptions extends PlatformOptions<"edge">, DocumentOption {
  /** For a transition without a condition from a conversation node. Default: `after_speech`. */
  readonly timing?: "after_speech" | "skip_response" | "else";
  /** For a transition from a function or transfer node: taken when the tool or transfer has this outcome. */
  readonly outcome?: "succeeded" | "failed";
  /** A description for the model that picks a transition, and for readers. */
  readonly description?: string;
}

/** A transition from a node to another, as `next` returns it. */
export interface Edge<Target extends string> {
  readonly target: Target;
  readonly transition: Transition;
  /** Keys of the transition that have no option. */
  readonly document?: DocumentFields;
  /** Problems of its condition and options, reported by `compile()`. */
  readonly issues?: readonly Issue[];
}

/** Functions that `next` receives to create transitions. */
export interface EdgeKit<Declared extends Declarations> {
  /**
   * Creates a transition: unconditional, or with an LLM condition, an equation or an outcome. Earlier ones take
   * precedence.
   */
  readonly to: To;
  readonly when: When<Declared["variables"]>;
  /** Creates a transition that is taken when no other matches; at a conversation node, after the caller has spoken. */
  readonly otherwise: Otherwise;
}

/** Creates a transition. */
export type To = <const Target extends string>(
  target: Target,
  condition?: string | ReadyCondition | EdgeOptions,
  options?: EdgeOptions,
) => Edge<Target>;

/** Creates a transition that is taken when no other is. */
export type Otherwise = <const Target extends string>(target: Target, options?: OtherwiseOptions) => Edge<Target>;

/** Description and platform settings of an `otherwise()` transition. */
export type OtherwiseOptions = Omit<EdgeOptions, "timing" | "outcome">;

/**
 * Transitions of a node, in order of precedence. When another option of the node has a type error, the compiler infers
 * `never` for `Target`; transitions to any node are then accepted, so that only the real error is reported.
 */
export type Next<Declared extends Declarations, Target extends string> = (
  kit: EdgeKit<Declared>,
) => readonly (Edge<Target> | Edge<string>)[];

/** Conditions under which the call goes back from a global node. */
export type GoBack<Vars extends Variables> =
  | string
  | readonly string[]
  | ((kit: { readonly when: When<Vars> }) => readonly (string | Equation<Vars>)[]);

const EDGE = {
  timing: oneOf("after_speech", "skip_response", "else"),
  outcome: oneOf("succeeded", "failed"),
  description: OPTION.text,
  ...DOCUMENT_OPTION,
  ...PLATFORM_OPTIONS,
} satisfies { readonly [Name in keyof Required<EdgeOptions>]: OptionRules[string] };

/** Returns the condition passed to `to`, in document form. */
export function conditionOf(
  condition: string | ReadyCondition | undefined,
  outcome?: "succeeded" | "failed",
): TransitionCondition {
  if (typeof condition === "string") return { type: "llm_prompt", value: condition };
  if (condition) return condition.condition();
  return outcome ? { type: "tool_call", value: "", outcome } : { type: "always", value: "" };
}

/** Creates the transition that {@link To} describes. */
export function to<const Target extends string>(
  target: Target,
  condition?: string | ReadyCondition | EdgeOptions,
  options?: EdgeOptions,
): Edge<Target> {
  const isCondition = typeof condition === "string" || isReady(condition);
  const given = isCondition ? condition : undefined;
  const written = isCondition ? [options] : [condition, options];
  const issues = written.flatMap((each) => optionIssues(each, EDGE, [], false));
  const { timing, outcome, description, document, ...others } = { ...(isCondition ? {} : condition), ...options };
  const metadata = platformFields(others);
  const transition: Transition = {
    target_node_id: target,
    condition: conditionOf(given, outcome),
    ...(description === undefined ? {} : { description }),
    ...(timing === undefined ? {} : { timing }),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
  return Object.freeze({
    target,
    transition: Object.freeze(transition),
    ...(document === undefined ? {} : { document }),
    ...(issues.length > 0 ? { issues } : {}),
  });
}

/**
 * Creates the transition that {@link Otherwise} describes. Only transitions of conversation nodes need the timing `else`.
 */
export function otherwiseFor(speaks: boolean): Otherwise {
  return (target, options) => to(target, { ...options, ...(speaks ? { timing: "else" } : {}) });
}

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
