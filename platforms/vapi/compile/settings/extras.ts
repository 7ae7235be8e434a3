import type { Path } from "../../../../src/base/errors.ts";
import { isRecord, type JsonObject, mergeJson, omit, recordAt, sameJson } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../src/document/graph/mod.ts";
import { carriedSettings, isOwnDocument, isWorkflow } from "./carried.ts";

const OPENING_KEYS = ["firstMessage", "firstMessageMode"];

/** Returns settings that are merged into a member's assistant, from `metadata.vapi` of the node. */
export function extrasOfNode(graph: AgentGraph, node: AgentNode): JsonObject {
  if (isOwnDocument(graph)) return carriedSettings(graph, node, []);
  const kept = recordAt(node.metadata, "vapi");
  if (!isWorkflow(graph)) return kept;
  // a workflow's node speaks its first message whenever it is entered
  const words = recordAt(kept, "messagePlan").firstMessage;
  const isOpened = typeof words === "string" && words !== "" && node.id !== graph.entry_node_id;
  const opening = isOpened ? { firstMessage: words, firstMessageMode: "assistant-speaks-first" } : {};
  return { ...carriedSettings(graph, node, []), ...opening };
}

/** Returns settings that are merged into a squad, from `source_metadata.vapi`. A workflow's go to each member. */
export function extrasOfGraph(graph: AgentGraph): JsonObject {
  if (isOwnDocument(graph)) return {};
  const kept = recordAt(graph.source_metadata, "vapi");
  if (!isWorkflow(graph)) return kept;
  const { membersOverrides: shared } = kept;
  return shared === undefined ? {} : { membersOverrides: shared };
}

/** Whether one assistant can speak for two nodes: they have the same settings, and the second has no opening. */
export function hasSameSettings(graph: AgentGraph, node: AgentNode, target: AgentNode): boolean {
  const [first, second] = [extrasOfNode(graph, node), extrasOfNode(graph, target)];
  return !Object.hasOwn(second, "firstMessage") && sameJson(omit(first, OPENING_KEYS), omit(second, OPENING_KEYS));
}

/** Returns the paths of settings that are not in a document, because others were merged into it. */
export function overridden(settings: unknown, merged: unknown, path: Path = []): readonly Path[] {
  if (isRecord(settings) && isRecord(merged))
    return Object.entries(settings).flatMap(([key, value]) => overridden(value, merged[key], [...path, key]));
  const [items, all] = [settings, merged].map((value) => (Array.isArray(value) ? value : [value]));
  return items?.every((item) => all?.some((each) => sameJson(item, each))) ? [] : [path];
}

/** Lists to which merged settings are appended. Any other list is replaced. */
export const GROWING = new Set(["tools", "toolIds", "toolRefs", "tools:append", "hooks", "credentialIds"]);

/** Merges settings into a JSON object: objects key by key, lists of tools by appending. */
export const mergeSettings = (base: JsonObject, extra: JsonObject) => mergeJson(base, extra, GROWING);
