import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../../src/errors.ts";
import type { AgentNode, ToolDefinition } from "../../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit, sameJson } from "../../../../src/values/mod.ts";
import { isTerminal } from "../../../lower/mod.ts";
import { limits } from "../../api/mod.ts";
import type { LossList } from "../common/mod.ts";
import { clip } from "../common/mod.ts";
import { findDestination } from "./destination.ts";

type Tool = Vapi.AssistantOverridesToolsAppendItem;

/**
 * The kinds of tools that are done with a call. Vapi calls them by their kind, so that of two at one assistant it keeps
 * only one.
 */
export type TerminalKind = "endCall" | "transferCall";

/** Which of these kinds a tool of the graph is emitted as. */
export function terminalKind({ type, metadata }: ToolDefinition): TerminalKind | undefined {
  const raw = isRecord(metadata?.vapi) ? metadata.vapi : {};
  if (typeof raw.toolId === "string") return undefined;
  if (raw.type === "endCall" || type === "end_call") return "endCall";
  return raw.type === "transferCall" || type === "transfer_call" ? "transferCall" : undefined;
}

/** The tools of a kind that nodes have of their own. */
export function ownTerminals(nodes: readonly AgentNode[], kind: TerminalKind): readonly ToolDefinition[] {
  return nodes
    .filter((node) => !isTerminal(node))
    .flatMap(({ tools }) => tools.filter((tool) => terminalKind(tool) === kind));
}

/** Whether a tool does no more than its kind does: it says nothing, and nothing forbids it. */
export function isPlainTerminal({ metadata }: ToolDefinition): boolean {
  const raw = isRecord(metadata?.vapi) ? metadata.vapi : {};
  return ["messages", "rejectionPlan"].every((key) => isEmpty(raw[key]));
}

/** Whether it is known where a tool transfers a call to. */
export function hasDestination(tool: ToolDefinition): boolean {
  const raw = isRecord(tool.metadata?.vapi) ? tool.metadata.vapi : {};
  if (Array.isArray(raw.destinations) && raw.destinations.length > 0) return true;
  return findDestination(tool.metadata, tool) !== undefined;
}

/** A tool that transfers to further places; what is said of the same place twice is said there together. */
export function withDestinations(tool: Tool, further: readonly unknown[]): Tool {
  if (tool.type !== "transferCall" || further.length === 0) return tool;
  const all: JsonObject[] = [];
  for (const place of [...(tool.destinations ?? []), ...further].filter(isRecord)) {
    const index = all.findIndex((known) => sameJson(placeOf(known), placeOf(place)));
    const known = all[index];
    if (!known) all.push(place);
    else all[index] = { ...known, ...described(known.description, place.description) };
  }
  return { ...tool, destinations: all as unknown as typeof tool.destinations }; // all come from tools of this type
}

const placeOf = (destination: JsonObject) => omit(destination, ["description"]);

function described(first: unknown, second: unknown): JsonObject {
  const texts = [...new Set([first, second])].filter((text) => typeof text === "string" && text !== "");
  return texts.length === 0 ? {} : { description: clip(texts.join("; or: "), limits().message) };
}

/**
 * Two tools that Vapi would take for one, as one: a transfer leads wherever either does.
 *
 * @returns `undefined` for tools that Vapi tells apart.
 */
export function joinTools(first: Tool, second: Tool, path: Path, losses: LossList): Tool | undefined {
  if (first.type !== second.type || isNamed(first) || isNamed(second)) return undefined;
  if (sameJson(saying(first), saying(second)) && first.type !== "transferCall") return first;
  if (first.type !== "endCall" && first.type !== "transferCall") return undefined;
  const places = second.type === "transferCall" ? (second.destinations ?? []) : [];
  const isAsked = first.type === "transferCall" && ((first.destinations ?? []).length === 0) !== (places.length === 0);
  if (isAsked || !sameJson(saying(first), saying(second))) {
    losses.dropped(
      "tool-dropped",
      path,
      `Vapi keeps one "${first.type}" tool of an assistant, and there is another that says other things`,
      isAsked ? "the one that knows where it leads" : "the one that comes first",
      "Give the node one of them",
    );
  }
  return isAsked && places.length > 0 ? second : withDestinations(first, places);
}

/** Whether a tool has a name of its own, by which Vapi tells it from others of its kind. */
export function isNamed(tool: Tool): boolean {
  const named = [isRecord(tool) && isRecord(tool.function) ? tool.function.name : undefined, Reflect.get(tool, "name")];
  return named.some((name) => typeof name === "string");
}

/** What a tool says and asks, without the places it leads to. */
function saying(tool: Tool): JsonObject {
  const entries = Object.entries(omit({ ...tool }, ["type", "destinations"]));
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
