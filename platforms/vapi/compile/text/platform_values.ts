import { isPlatformVariable } from "../../../../src/expressions/mod.ts";
import type { AgentGraph } from "../../../../src/graph/mod.ts";
import type { LossList } from "../common/mod.ts";
import { variableSlug } from "../common/mod.ts";

/** Retell's own variables that Vapi has under another name. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ["user_number", "customer.number"],
  ["agent_number", "phoneNumber.number"],
  ["call_id", "call.id"],
  ["session_type", "transport.conversationType"],
]);

/** Retell's clock as formats of LiquidJS: `Thursday, March 28, 2024 at 11:46:04 PM`, and `23`. */
const CLOCKS: ReadonlyMap<string, string> = new Map([
  ["time", "%A, %B %-d, %Y at %-I:%M:%S %p"],
  ["hour", "%H"],
]);
const CLOCK = /^current_(time|hour)(?:_([A-Za-z0-9_+/-]+))?$/;
/** Zone of Retell's clock when none is named. */
const ZONE = "America/Los_Angeles";

/** Names that Vapi sets in every call. */
const TIMES = "now date time year month day currentDateTime";
export const VAPIS = new Set(
  `${TIMES} customer phoneNumber call transport assistant messages transcript prompt`.split(" "),
);

/**
 * Vapi's name for a variable that only another platform gives every call: its own, or the one that calls can give. In
 * Vapi's formats such a variable is a call's own.
 */
export function platformPath(name: string, { source_type }: AgentGraph): string | undefined {
  const isForeign = !source_type.startsWith("vapi") && isPlatformVariable(name) && !VAPIS.has(name);
  return isForeign ? (PATHS.get(name) ?? variableSlug(name)) : undefined;
}

/** Reports a variable that calls have on another platform, and in Vapi only if they are given it. */
export function reportGiven(name: string, graph: AgentGraph, losses: LossList): void {
  const given = PATHS.has(name) ? undefined : platformPath(name, graph);
  if (given !== undefined) losses.add("platform-variable", ["variables", name], name, { given });
}

/**
 * The Liquid that replaces a variable that another platform gives every call; `undefined` for any other name.
 *
 * @see https://docs.retellai.com/build/dynamic-variables (system variables)
 * @see https://docs.vapi.ai/assistants/dynamic-variables (default variables, dates with a zone)
 */
export function platformText(name: string, graph: AgentGraph, losses: LossList): string | undefined {
  const path = platformPath(name, graph);
  if (path === undefined) return undefined;
  const [, kind = "", zone = ZONE] = CLOCK.exec(name) ?? [];
  const format = CLOCKS.get(kind);
  if (format) losses.add("platform-variable", ["variables", name], name, { zone });
  else reportGiven(name, graph, losses);
  return format ? `{{ "now" | date: "${format}", "${zone}" }}` : `{{${path}}}`;
}
