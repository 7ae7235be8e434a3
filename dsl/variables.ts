import { FlowError } from "../src/errors.ts";
import { checkOptions, rule } from "../src/values/mod.ts";

/** What a variable holds. */
export type VariableKind = "string" | "number" | "boolean" | "enum";

/** A declared variable: given at call start, extracted, or filled by a tool. */
export interface Variable<Kind extends VariableKind, Value> {
  readonly type: Kind;
  /** Says what is looked for to the model that extracts it. */
  readonly description: string;
  /** Of a choice, its values; of any other, none. */
  readonly choices: readonly Value[];
  /** Stands in where a call is not given the variable. */
  readonly default?: Value;
}

/** Variables by name. */
export type Variables = { readonly [name: string]: Variable<VariableKind, unknown> };
/** What `text()` declares, and what a variable is without a type: its value is not checked. */
export type TextVariable = Variable<"string", string>;

/** Options of `text()`, `number()`, `boolean()` and `choice()`: the default value. */
export interface VariableOptions<Value> {
  /** Value for calls that are not given one (`source_metadata.default_dynamic_variables`); absent: it stays unset. */
  readonly default?: Value;
}

/** A variable that holds any text. */
export function text(description: string, options?: VariableOptions<string>): TextVariable {
  return declare({ type: "string", description, choices: [] }, options);
}

/** A variable that holds a number; equations can order it. */
export function number(description: string, options?: VariableOptions<number>): Variable<"number", number> {
  return declare({ type: "number", description, choices: [] }, options);
}

/** A variable that is true or false. */
export function boolean(description: string, options?: VariableOptions<boolean>): Variable<"boolean", boolean> {
  return declare({ type: "boolean", description, choices: [] }, options);
}

/**
 * A variable that is one of a few texts, which equations are checked against.
 *
 * @example
 * ```ts
 * const intent = choice("Why the caller calls", ["book", "cancel"]);
 * ```
 */
export function choice<const Value extends string>(
  description: string,
  choices: readonly Value[],
  options?: VariableOptions<NoInfer<Value>>,
): Variable<"enum", Value> {
  // plain JavaScript may have passed anything: compile() looks at it
  const values = Array.isArray(choices) ? Object.freeze([...choices]) : choices;
  return declare({ type: "enum", description, choices: values }, options);
}

/** @throws {FlowError} `invalid-option`, such as for a default that was passed by itself. */
function declare<Declared extends object, Options extends object>(variable: Declared, options?: Options) {
  checkOptions(options, { default: rule("a value", () => true) }, FlowError, "Cannot declare a variable");
  return Object.freeze({ ...variable, ...options });
}
