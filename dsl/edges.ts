import type { Issue } from "../src/base/errors.ts";
import { OPTION, type OptionRules, oneOf, optionIssues } from "../src/base/values/mod.ts";
import type { Transition, TransitionCondition } from "../src/document/graph/mod.ts";
import { type Equation, isReady, type ReadyCondition, type When } from "./condition.ts";
import type { Declarations } from "./declarations.ts";
import { DOCUMENT_OPTION, type DocumentFields, type DocumentOption } from "./document_fields.ts";
import { PLATFORM_OPTIONS, type PlatformOptions, platformFields } from "./platform_fields.ts";
import type { Variables } from "./variables.ts";

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
