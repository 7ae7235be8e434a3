import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../../src/errors.ts";
import type { AgentNode, ToolDefinition } from "../../../../src/graph/mod.ts";
import { canonicalJson, groupBy, isRecord, type JsonObject, omit, sameJson } from "../../../../src/values/mod.ts";
import { isTerminal } from "../../../lower/mod.ts";
import { limits } from "../../api/mod.ts";
import { clip, isEmpty, type LossList, rawOf, toolName } from "../common/mod.ts";
import { findDestination } from "./destination.ts";

type Tool = Vapi.AssistantOverridesToolsAppendItem;

/** The kinds of tools that end a call. Vapi calls them by their kind, so that it keeps only one of each at an assistant. */
export type TerminalKind = "endCall" | "transferCall";

/** Types of nodes that end a call, with the tool that does it. */
export const TERMINALS = [
  ["end", "endCall"],
  ["transfer", "transferCall"],
] as const;

/** Returns which of these kinds a tool of the graph is emitted as. */
export function terminalKind(tool: ToolDefinition): TerminalKind | undefined {
  const { toolId, type } = rawOf(tool);
  if (typeof toolId === "string") return undefined;
  if (type === "endCall" || tool.type === "end_call") return "endCall";
  return type === "transferCall" || tool.type === "transfer_call" ? "transferCall" : undefined;
}

/** The tools of a kind that nodes have of their own. */
export function ownTerminals(nodes: readonly AgentNode[], kind: TerminalKind): readonly ToolDefinition[] {
  return nodes.flatMap((node) => (isTerminal(node) ? [] : node.tools.filter((tool) => terminalKind(tool) === kind)));
}

/** Whether a tool does no more than its kind: it has no messages and no rejection plan. */
export function isPlainTerminal(tool: ToolDefinition): boolean {
  const { messages, rejectionPlan } = rawOf(tool);
  return isEmpty(messages) && isEmpty(rejectionPlan);
}

/** Whether the destination of a transfer tool is known. */
export function hasDestination(tool: ToolDefinition): boolean {
  return !isEmpty(rawOf(tool).destinations) || findDestination(tool.metadata, tool) !== undefined;
}

/** Adds destinations to a transfer tool; the descriptions of a destination that it has already are joined. */
export function withDestinations(tool: Tool, further: readonly unknown[]): Tool {
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
 * Joins two tools that Vapi would take for one: a transfer leads wherever either does.
 *
 * @returns `undefined` for tools that Vapi tells apart.
 */
export function joinTools(first: Tool, second: Tool, path: Path, losses: LossList): Tool | undefined {
  if (first.type !== second.type || toolName(first) || toolName(second)) return undefined;
  const isSame = sameJson(settingsOf(first), settingsOf(second));
  if (isSame && first.type !== "transferCall") return first;
  if (first.type !== "endCall" && first.type !== "transferCall") return undefined;
  const places = second.type === "transferCall" ? (second.destinations ?? []) : [];
  const isAsked = first.type === "transferCall" && ((first.destinations ?? []).length === 0) !== (places.length === 0);
  if (isAsked || !isSame)
    losses.add("tool-dropped", path, {
      kind: "dropped",
      message: `Vapi keeps one "${first.type}" tool of an assistant, and there is another that says other things`,
      instead: isAsked ? "the one that knows where it leads" : "the one that comes first",
      hint: "Give the node one of them",
    });
  return isAsked && places.length > 0 ? second : withDestinations(first, places);
}

/** The settings of a tool, without the places that a transfer leads to. */
function settingsOf(tool: Tool): JsonObject {
  const entries = Object.entries(omit({ ...tool }, tool.type === "transferCall" ? ["destinations"] : []));
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)));
}
