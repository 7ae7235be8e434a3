import type { Issue } from "../src/errors.ts";
import type { Transition, TransitionCondition } from "../src/graph/mod.ts";
import { OPTION, type OptionRules, oneOf, optionIssues } from "../src/values/mod.ts";
import { type Equation, isReady, type ReadyCondition, type When } from "./condition.ts";
import { PLATFORM_OPTIONS, type PlatformOptions, platformFields } from "./platform_fields.ts";
import type { AnySetup } from "./setup.ts";
import type { Variables } from "./variables.ts";

/** When an unconditional or outcome edge is taken, and its description for the model. */
export interface EdgeOptions extends PlatformOptions<"edge"> {
  /** Of an edge without a condition that leaves a conversation node; absent: `after_speech`. */
  readonly timing?: "after_speech" | "skip_response" | "else";
  /** Of an edge that leaves a function or transfer node: taken when the tool or transfer did so. */
  readonly outcome?: "succeeded" | "failed";
  /** For the model that chooses, and for people. */
  readonly description?: string;
}

/** A way out of a node. */
export interface Edge<Target extends string> {
  readonly target: Target;
  readonly transition: Transition;
  /** Problems of its condition and options, which `compile()` reports. */
  readonly issues?: readonly Issue[];
}

/** Functions that `next` gets to write edges. */
export interface EdgeKit<Declared extends AnySetup> {
  /** An edge: always taken, or on an LLM condition, an equation, or an outcome. The order is the precedence. */
  readonly to: To;
  readonly when: When<Declared["variables"]>;
  /** An edge that is taken when no other was: at a conversation node, when the caller's words led nowhere else. */
  readonly otherwise: Otherwise;
}

/** Writes an edge. */
export type To = <const Target extends string>(
  target: Target,
  condition?: string | ReadyCondition | EdgeOptions,
  options?: EdgeOptions,
) => Edge<Target>;

/** Writes an edge that is taken last. */
export type Otherwise = <const Target extends string>(target: Target, options?: OtherwiseOptions) => Edge<Target>;

/** Description and platform settings of the edge that `otherwise()` writes. */
export type OtherwiseOptions = Omit<EdgeOptions, "timing" | "outcome">;

/**
 * The edges of a node, in order of precedence. Where something else in the node is wrong, the compiler takes `Target` for
 * `never`; edges to anywhere are let through then, so that it says what is wrong and nothing of the edges.
 */
export type Next<Declared extends AnySetup, Target extends string> = (
  kit: EdgeKit<Declared>,
) => readonly (Edge<Target> | Edge<string>)[];

/** Conditions that lead from a global node back to where the caller was. */
export type GoBack<Vars extends Variables> =
  | string
  | readonly string[]
  | ((kit: { readonly when: When<Vars> }) => readonly (string | Equation<Vars>)[]);

const EDGE = {
  timing: oneOf("after_speech", "skip_response", "else"),
  outcome: oneOf("succeeded", "failed"),
  description: OPTION.text,
  ...PLATFORM_OPTIONS,
} satisfies { readonly [Name in keyof Required<EdgeOptions>]: OptionRules[string] };

/** The condition that `to` was given, as the document has it. */
export function conditionOf(
  condition: string | ReadyCondition | undefined,
  outcome?: "succeeded" | "failed",
): TransitionCondition {
  if (typeof condition === "string") return { type: "llm_prompt", value: condition };
  if (condition) return condition.condition();
  return outcome ? { type: "tool_call", value: "", outcome } : { type: "always", value: "" };
}

/** Makes the edge that {@link To} describes. */
export function to<const Target extends string>(
  target: Target,
  condition?: string | ReadyCondition | EdgeOptions,
  options?: EdgeOptions,
): Edge<Target> {
  const isCondition = typeof condition === "string" || isReady(condition);
  const given = isCondition ? condition : undefined;
  const written = isCondition ? [options] : [condition, options];
  const issues = written.flatMap((each) => optionIssues(each, EDGE, [], false));
  const { timing, outcome, description, ...others } = { ...(isCondition ? {} : condition), ...options };
  const metadata = platformFields(others);
  const transition: Transition = {
    target_node_id: target,
    condition: conditionOf(given, outcome),
    ...(description === undefined ? {} : { description }),
    ...(timing === undefined ? {} : { timing }),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
  return Object.freeze({ target, transition: Object.freeze(transition), ...(issues.length > 0 ? { issues } : {}) });
}

/** Makes the edge that {@link Otherwise} describes; only a speaking node's needs to say that it comes last. */
export function otherwiseFor(speaks: boolean): Otherwise {
  return (target, options) => to(target, { ...options, ...(speaks ? { timing: "else" } : {}) });
}
