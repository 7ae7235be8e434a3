import { isCallweaveError } from "../../src/errors.ts";
import { type AgentGraph, isRecord, type JsonObject, parseGraph, sameJson } from "../../src/graph/mod.ts";
import { emitAssistant } from "./assistant.ts";
import { readShape } from "./extras_hint.ts";
import { promptIn } from "./hints.ts";
import { HINT_KEY } from "./keys.ts";
import { emitSquad } from "./squad.ts";
import { toolOfHint } from "./tool_hint.ts";

/**
 * The graph that a squad was emitted from, logic nodes, snippets and all. Only a squad that is to the letter what
 * {@link emitSquad} makes of that graph is recognised: one that was edited on the way, or completed by Vapi's server,
 * says other things than its hints, and is to be read as any other squad.
 *
 * @param squad A squad document, without an envelope.
 */
export function recogniseSquad(squad: JsonObject): AgentGraph | undefined {
  const members: readonly unknown[] = Array.isArray(squad.members) ? squad.members : [];
  const assistants = members.map((member) => (isRecord(member) ? member.assistant : undefined));
  const graph = readHints(assistants, squad);
  return graph && sameJson(emitSquad(graph).config, squad) ? graph : undefined;
}

/** The graph that an assistant was emitted from, by the same rule as {@link recogniseSquad}. */
export function recogniseAssistant(assistant: JsonObject): AgentGraph | undefined {
  const graph = readHints([assistant], { membersOverrides: assistant });
  return graph && sameJson(emitAssistant(graph).config, assistant) ? graph : undefined;
}

/** @param whole What the author's settings of the graph were merged into. */
function readHints(assistants: readonly unknown[], whole: JsonObject): AgentGraph | undefined {
  const hints = assistants.map(readHint);
  const head = hints.find((hint) => hint !== undefined && isRecord(hint.graph))?.graph;
  if (!isRecord(head) || hints.some((hint) => hint === undefined)) return undefined;
  const source = isRecord(head.source_metadata) ? head.source_metadata : {};
  const general = typeof source.general_prompt === "string" ? source.general_prompt : "";
  const nodes = new Map(
    hints.flatMap((hint, index) => {
      const list: readonly unknown[] = Array.isArray(hint?.nodes) ? hint.nodes : [];
      return list.filter(isRecord).map((node, place): [unknown, JsonObject] => {
        const assistant = assistants[index];
        const prompt = place === 0 ? promptIn(systemPromptOf(assistant), general) : undefined;
        const extras = place === 0 ? readShape(hint?.extras, assistant) : undefined;
        return [node.id, readNode({ state_prompt: prompt ?? "", ...node }, extras, toolsOf(assistant))];
      });
    }),
  );
  const order: readonly unknown[] = Array.isArray(head.order) ? head.order : [];
  const ids = order.filter((id): id is string => typeof id === "string" && nodes.has(id));
  const { order: _order, extras, ...rest } = head;
  const wanted = readShape(extras, whole);
  const source_metadata = { ...source, ...(wanted ? { vapi: wanted } : {}) };
  return parsed({
    ...rest,
    source_metadata,
    source_type: "custom",
    nodes: Object.fromEntries(ids.map((id) => [id, nodes.get(id)])),
  });
}

function readNode(node: JsonObject, extras: JsonObject | undefined, emitted: readonly unknown[]): JsonObject {
  const tools: readonly unknown[] = Array.isArray(node.tools) ? node.tools : [];
  const metadata = isRecord(node.metadata) ? node.metadata : {};
  return {
    ...node,
    tools: tools.map((tool) => (isRecord(tool) ? toolOfHint(tool, emitted) : tool)),
    metadata: { ...metadata, ...(extras ? { vapi: extras } : {}) },
  };
}

function toolsOf(assistant: unknown): readonly unknown[] {
  if (!isRecord(assistant) || !isRecord(assistant.model)) return [];
  return Array.isArray(assistant.model.tools) ? assistant.model.tools : [];
}

function readHint(assistant: unknown): JsonObject | undefined {
  if (!isRecord(assistant) || !isRecord(assistant.metadata)) return undefined;
  const hint = assistant.metadata[HINT_KEY];
  return isRecord(hint) && Array.isArray(hint.nodes) ? hint : undefined;
}

function systemPromptOf(assistant: unknown): string {
  if (!isRecord(assistant) || !isRecord(assistant.model) || !Array.isArray(assistant.model.messages)) return "";
  const first: unknown = assistant.model.messages[0];
  return isRecord(first) && typeof first.content === "string" ? first.content : "";
}

/** Hints that somebody has changed may be no graph any more: that is no fault of the squad. */
function parsed(document: unknown): AgentGraph | undefined {
  try {
    return parseGraph(document);
  } catch (error) {
    if (isCallweaveError(error)) return undefined;
    throw error;
  }
}
