import { bareName, isPlatformVariable } from "../../../../src/expressions/mod.ts";
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

/** Retell's clock, as LiquidJS writes it: `Thursday, March 28, 2024 at 11:46:04 PM`, and `23`. */
const CLOCKS: ReadonlyMap<string, string> = new Map([
  ["time", "%A, %B %-d, %Y at %-I:%M:%S %p"],
  ["hour", "%H"],
]);
const CLOCK = /^current_(time|hour)(?:_([A-Za-z0-9_+/-]+))?$/;
/** Where Retell's clock is when no zone is named. */
const ZONE = "America/Los_Angeles";

/** What Vapi itself gives every call, which is called the same everywhere. */
const VAPIS = new Set(
  "now date time year month day customer phoneNumber call transport assistant messages transcript".split(" "),
);

/** Whether a graph's texts may name variables that another platform gives: in Vapi's own, such a name is a call's own. */
const isForeign = ({ source_type }: AgentGraph) => !source_type.startsWith("vapi");

/** Whether a name is one that only another platform gives every call. */
function isForeignValue(name: string, graph: AgentGraph): boolean {
  return isForeign(graph) && isPlatformVariable(name) && !VAPIS.has(name);
}

/** By what name Vapi reads a variable that another platform gives every call: its own, or the one that calls can give. */
export function platformPath(name: string, graph: AgentGraph): string | undefined {
  return isForeignValue(name, graph) ? (PATHS.get(name) ?? variableSlug(name)) : undefined;
}

/**
 * What is printed in the place of a variable that another platform gives every call; `undefined` for any other name.
 *
 * @see https://docs.retellai.com/build/dynamic-variables (system variables)
 * @see https://docs.vapi.ai/assistants/dynamic-variables (default variables, dates with a zone)
 */
export function platformText(name: string, graph: AgentGraph, losses: LossList): string | undefined {
  if (!isForeignValue(name, graph)) return undefined;
  const path = PATHS.get(name);
  if (path) return `{{${path}}}`;
  const [, kind = "", zone = ZONE] = CLOCK.exec(name) ?? [];
  const format = CLOCKS.get(kind);
  if (format) {
    losses.emulated(
      "platform-variable",
      ["variables", name],
      `Vapi gives calls no variable "${name}"`,
      `Vapi's clock in ${zone}, as Liquid`,
      `Name the time zone in the variable if your callers are not in ${zone}`,
    );
    return `{{ "now" | date: "${format}", "${zone}" }}`;
  }
  const given = variableSlug(name);
  reportUngiven(name, given, losses);
  return `{{${given}}}`;
}

/** Says which equations ask for what only another platform gives every call. */
export function reportAskedValues(graph: AgentGraph, owned: (name: string) => boolean, losses: LossList): void {
  for (const { transitions, global_node_setting: setting } of Object.values(graph.nodes))
    for (const { condition } of [...transitions, ...(setting?.go_back_conditions ?? [])])
      for (const { left } of condition.type === "equation" ? (condition.equations ?? []) : []) {
        const name = bareName(left);
        if (owned(name) || !isForeignValue(name, graph) || PATHS.has(name)) continue;
        reportUngiven(name, variableSlug(name), losses);
      }
}

function reportUngiven(name: string, given: string, losses: LossList): void {
  losses.dropped(
    "platform-variable",
    ["variables", name],
    `Vapi gives calls no variable "${name}"`,
    `the variable "${given}", which is empty unless your calls give it`,
    "Give it a value in each call (variableValues)",
  );
}
