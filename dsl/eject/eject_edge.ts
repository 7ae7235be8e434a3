import { own } from "../../src/base/values/mod.ts";
import type { Metadata, Transition } from "../../src/document/graph/mod.ts";
import type { ReadyCondition } from "../condition.ts";
import { type DocumentFields, missingFields } from "../document_fields.ts";
import { type Edge, type EdgeOptions, to } from "../edges.ts";
import { PLATFORM_OPTIONS } from "../platform_fields.ts";
import { typedFields } from "../typed_fields.ts";
import { type Code, call, object, type Property } from "./code.ts";
import type { EjectContext } from "./context.ts";
import { ejectEquation } from "./equation_code.ts";
import { stringCode } from "./text_code.ts";
import { compiles } from "./texts.ts";

/** An edge, and the code that creates it. */
export interface EjectedEdge {
  readonly edge: Edge<string>;
  readonly code: Code;
}

/** Settings of the platforms that flows have options for. */
export function platformSettings(
  at: "flow" | "node" | "edge" | "tool",
  metadata: Metadata | null | undefined,
): { readonly [platform: string]: object } {
  const platforms = Object.keys(PLATFORM_OPTIONS).map((platform) => {
    const given: unknown = own(metadata ?? {}, platform);
    return [platform, typedFields(platform, at, given)] as const;
  });
  return Object.fromEntries(platforms.filter(([, fields]) => Object.keys(fields).length > 0));
}

/**
 * Writes a transition with `to` or `otherwise`.
 *
 * @param words The source node, from which constants are named.
 * @param isLast Whether it is the last of several transitions.
 */
export function ejectEdge(
  transition: Transition,
  { speaks, isLast, words }: { readonly speaks: boolean; readonly isLast: boolean; readonly words: string },
  context: EjectContext,
): EjectedEdge {
  const { target_node_id: target, condition } = transition;
  const equation = ejectEquation(condition, context.variables);
  const isText = condition.type === "llm_prompt" && compiles(condition.value, context);
  const given = isText ? condition.value : equation?.condition;
  const options: EdgeOptions = {
    ...(transition.timing ? { timing: transition.timing } : {}),
    ...(condition.type === "tool_call" && condition.outcome ? { outcome: condition.outcome } : {}),
    ...(typeof transition.description === "string" ? { description: transition.description } : {}),
    ...platformSettings("edge", transition.metadata),
  };
  const { edge, document, used } = withMissing(target, given, options, transition);
  const isRaw = document !== undefined && "condition" in document;
  const code = isRaw || given === undefined ? undefined : isText ? stringCode(condition.value) : equation?.code;
  const isElse =
    !isRaw && condition.type === "always" && (speaks ? used.timing === "else" : isLast && used.timing === undefined);
  const { timing, ...others } = used;
  const shown = { ...(isElse || timing === undefined ? {} : { timing }), ...others, ...(document ? { document } : {}) };
  const fields = optionCodes(shown, words, context);
  const args = [stringCode(target), ...(code ? [code] : []), ...(fields.length > 0 ? [object(fields)] : [])];
  return { edge, code: call(isElse ? "otherwise" : "to", ...args) };
}

/** The edge, with a `document` option for what its options cannot express. A condition there replaces the given one. */
function withMissing(
  target: string,
  given: string | ReadyCondition | undefined,
  options: EdgeOptions,
  transition: Transition,
): { readonly edge: Edge<string>; readonly document?: DocumentFields; readonly used: EdgeOptions } {
  const made = given === undefined ? to(target, options) : to(target, given, options);
  const document = missingFields(made.transition, transition);
  if (Object.keys(document).length === 0) return { edge: made, used: options };
  if (!("condition" in document)) return { edge: { ...made, document }, document, used: options };
  const { outcome: _, ...used } = options;
  const bare = to(target, used);
  const all = missingFields(bare.transition, transition);
  return { edge: { ...bare, document: all }, document: all, used };
}

/** Options as properties; long values are constants. */
export function optionCodes(options: object, words: string, { constants }: EjectContext): readonly Property[] {
  return Object.entries(options).map(([key, value]: [string, unknown]) => ({
    key,
    value:
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? constants.fields({ ...value }, words, ["metadata", "source_metadata"])
        : constants.value(value, `${words} ${key}`),
  }));
}
