import { FlowError } from "../src/base/errors.ts";
import { checkOptions, rule } from "../src/base/values/mod.ts";
import { DOCUMENT_OPTION, type DocumentFields, type DocumentOption } from "./document_fields.ts";

/** `string`, `number`, `boolean`, or `enum` for a choice. */
export type VariableKind = "string" | "number" | "boolean" | "enum";

/** A declared variable: given at call start, extracted, or filled by a tool. */
export interface Variable<Kind extends VariableKind, Value> {
  readonly type: Kind;
  /** Tells the model what to extract. */
  readonly description: string;
  /** Allowed values of a choice; empty for other variables. */
  readonly choices: readonly Value[];
  /** Value for calls without one. */
  readonly default?: Value;
  /** Keys of the extraction that have no option. */
  readonly document?: DocumentFields;
}

/** Variables by name. */
export type Variables = { readonly [name: string]: Variable<VariableKind, unknown> };
/** Declared by `text()`; also the type of undeclared variables, whose values are not checked. */
export type TextVariable = Variable<"string", string>;

/** Options of `text()`, `number()`, `boolean()` and `choice()`. */
export interface VariableOptions<Value> extends DocumentOption {
  /** Value for calls without one (`source_metadata.default_dynamic_variables`). Default: the variable is not set. */
  readonly default?: Value;
}

/** Declares a variable with any text as value. */
export function text(description: string, options?: VariableOptions<string>): TextVariable {
  return declare({ type: "string", description, choices: [] }, options);
}

/** Declares a number; equations can compare its order. */
export function number(description: string, options?: VariableOptions<number>): Variable<"number", number> {
  return declare({ type: "number", description, choices: [] }, options);
}

/** Declares a variable that is true or false. */
export function boolean(description: string, options?: VariableOptions<boolean>): Variable<"boolean", boolean> {
  return declare({ type: "boolean", description, choices: [] }, options);
}

/**
 * Declares a variable with a fixed list of values, which equations are checked against.
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
  // invalid values are reported by compile()
  const values = Array.isArray(choices) ? Object.freeze([...choices]) : choices;
  return declare({ type: "enum", description, choices: values }, options);
}

/** @throws {FlowError} `invalid-option`, for example for a default that is not in an object. */
function declare<Declared extends object, Options extends object>(variable: Declared, options?: Options) {
  checkOptions(
    options,
    { default: rule("a value", () => true), ...DOCUMENT_OPTION },
    FlowError,
    "Cannot declare a variable",
  );
  return Object.freeze({ ...variable, ...options });
}
