import { isPlatformVariable } from "../../../../src/document/expressions/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { VAPI_VARIABLES } from "../../traits/mod.ts";
import type { LossList } from "../common/mod.ts";
import { variableSlug } from "../common/mod.ts";

/** Retell's system variables that Vapi has under another name. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ["user_number", "customer.number"],
  ["agent_number", "phoneNumber.number"],
  ["call_id", "call.id"],
  ["session_type", "transport.conversationType"],
]);

/** LiquidJS formats of Retell's clock variables: `Thursday, March 28, 2024 at 11:46:04 PM`, and `23`. */
const CLOCKS: ReadonlyMap<string, string> = new Map([
  ["time", "%A, %B %-d, %Y at %-I:%M:%S %p"],
  ["hour", "%H"],
]);
const CLOCK = /^current_(time|hour)(?:_([A-Za-z0-9_+/-]+))?$/;
/** Default time zone of Retell's clock variables. */
const ZONE = "America/Los_Angeles";

/** Names that Vapi sets in every call. */
export const VAPIS: ReadonlySet<string> = new Set(VAPI_VARIABLES.names);

/**
 * Returns Vapi's name for another platform's system variable: Vapi's equivalent, or the name under which calls can set
 * it. In graphs from Vapi's formats, such a name is an ordinary variable.
 */
export function platformPath(name: string, { source_type }: AgentGraph): string | undefined {
  const isForeign = !source_type.startsWith("vapi") && isPlatformVariable(name) && !VAPIS.has(name);
  return isForeign ? (PATHS.get(name) ?? variableSlug(name)) : undefined;
}

/** Reports another platform's system variable that Vapi's calls have only if it is set for the call. */
export function reportGiven(name: string, graph: AgentGraph, losses: LossList): void {
  const given = PATHS.has(name) ? undefined : platformPath(name, graph);
  if (given !== undefined) losses.add("platform-variable", ["variables", name], name, { given });
}

/**
 * Returns the Liquid that replaces another platform's system variable; `undefined` for any other name.
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
