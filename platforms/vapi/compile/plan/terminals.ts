import type { Path } from "../../../../src/base/errors.ts";
import {
  canonicalJson,
  clip,
  groupBy,
  isRecord,
  type JsonObject,
  omit,
  sameJson,
} from "../../../../src/base/values/mod.ts";
import type { AgentNode, ToolDefinition } from "../../../../src/document/graph/mod.ts";
import { isTerminal } from "../../../lower/mod.ts";
import { limits } from "../../api/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { isEmpty, type LossList, rawOf, toolName, type VapiTool } from "../common/mod.ts";

/** Types of tools that end a call. Vapi names them by type, so an assistant has at most one of each. */
export type TerminalKind = "endCall" | "transferCall";

/** Types of nodes that end a call, with their tool types. */
export const TERMINALS = [
  ["end", "endCall"],
  ["transfer", "transferCall"],
] as const;

/** Returns the type with which a tool that ends the call is emitted. */
export function terminalKind(tool: ToolDefinition): TerminalKind | undefined {
  const { toolId, type } = rawOf(tool);
  if (typeof toolId === "string") return undefined;
  if (type === "endCall" || tool.type === "end_call") return "endCall";
  return type === "transferCall" || tool.type === "transfer_call" ? "transferCall" : undefined;
}

/** Returns the nodes' own tools of a type. */
export function ownTerminals(nodes: readonly AgentNode[], kind: TerminalKind): readonly ToolDefinition[] {
  return nodes.flatMap((node) => (isTerminal(node) ? [] : node.tools.filter((tool) => terminalKind(tool) === kind)));
}

/** Whether a tool has no messages and no rejection plan. */
export function isPlainTerminal(tool: ToolDefinition): boolean {
  const { messages, rejectionPlan } = rawOf(tool);
  return isEmpty(messages) && isEmpty(rejectionPlan);
}

/** Whether the destination of a transfer tool is known. */
export function hasDestination(tool: ToolDefinition): boolean {
  return !isEmpty(rawOf(tool).destinations) || destinationsFor(tool).length > 0;
}

/** Adds destinations to a transfer tool. Equal destinations are merged, with joined descriptions. */
export function withDestinations(tool: VapiTool, further: readonly unknown[]): VapiTool {
  if (tool.type !== "transferCall" || further.length === 0) return tool;
  const places = [...(tool.destinations ?? []), ...further].filter(isRecord);
  const groups = groupBy(places, (place) => canonicalJson(omit(place, ["description"])));
  const destinations = [...groups.values()].map((group): JsonObject => {
    const texts = new Set(group.map((place) => place.description).filter((text) => text && typeof text === "string"));
    const description = clip([...texts].join("; or: "), limits().message);
    return { ...group[0], ...(group.length > 1 && description ? { description } : {}) };
  });
  return { ...tool, destinations: destinations as unknown as typeof tool.destinations }; // all come from tools of this type
}

/**
 * Merges two unnamed tools of the same type, of which Vapi would keep one. A transfer gets the destinations of both.
 *
 * @returns `undefined` for tools that Vapi distinguishes.
 */
export function joinTools(first: VapiTool, second: VapiTool, path: Path, losses: LossList): VapiTool | undefined {
  if (first.type !== second.type || toolName(first) || toolName(second)) return undefined;
  const isSame = sameJson(settingsOf(first), settingsOf(second));
  if (isSame && first.type !== "transferCall") return first;
  if (first.type !== "endCall" && first.type !== "transferCall") return undefined;
  const places = second.type === "transferCall" ? (second.destinations ?? []) : [];
  const isAsked = first.type === "transferCall" && ((first.destinations ?? []).length === 0) !== (places.length === 0);
  if (isAsked || !isSame)
    losses.add("tool-dropped", path, {
      kind: "dropped",
      message: `Vapi keeps one "${first.type}" tool of an assistant, and another one has other settings`,
      instead: isAsked ? "the tool with a destination" : "the first tool",
      hint: "Remove one of the tools",
    });
  return isAsked && places.length > 0 ? second : withDestinations(first, places);
}

/** Returns the settings of a tool without the destinations of a transfer. */
function settingsOf(tool: VapiTool): JsonObject {
  const entries = Object.entries(omit({ ...tool }, tool.type === "transferCall" ? ["destinations"] : []));
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)));
}
