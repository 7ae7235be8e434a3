import { isCallweaveError } from "../../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, omit, recordAt } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";
import { HINT_KEY } from "../common/mod.ts";
import { promptOf } from "../prompt/mod.ts";
import { readShape, toolOfHint } from "./held.ts";
import { promptIn } from "./hints.ts";

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether Callweave emitted the document: an assistant has the graph's own settings in its metadata. */
export function hasGraphHint(assistants: readonly unknown[]): boolean {
  return assistants.some((assistant) => isRecord(hintOf(assistant)?.graph));
}

/**
 * Restores the graph from the metadata of its assistants; `undefined` if some metadata is missing or invalid.
 *
 * @param whole The object that the graph's own settings for Vapi were merged into.
 */
export function readHints(assistants: readonly unknown[], whole: JsonObject): AgentGraph | undefined {
  const hints = assistants.map(hintOf);
  const head = hints.find((hint) => isRecord(hint?.graph))?.graph;
  if (!isRecord(head) || hints.includes(undefined)) return undefined;
  const source = recordAt(head, "source_metadata");
  const general = typeof source.general_prompt === "string" ? source.general_prompt : "";
  const nodes = new Map(
    hints.flatMap((hint, index) => {
      const read = list(hint?.nodes).filter(isRecord);
      return read.map((node, place): [unknown, JsonObject] => [
        node.id,
        readNode(node, assistants[index], general, hint?.extras, place === 0),
      ]);
    }),
  );
  const ids = list(head.order).filter((id): id is string => typeof id === "string" && nodes.has(id));
  const extras = readShape(head.extras, whole);
  return parsed({
    ...omit(head, ["order", "extras"]),
    source_metadata: { ...source, ...(extras ? { vapi: extras } : {}) },
    source_type: "custom",
    nodes: Object.fromEntries(ids.map((id) => [id, nodes.get(id)])),
  });
}

/** @param own Whether the assistant speaks for the node, so that it contains the node's prompt and settings. */
function readNode(node: JsonObject, assistant: unknown, general: string, shape: unknown, own: boolean): JsonObject {
  const emitted = list(getAt(assistant, ["model", "tools"]));
  const extras = own ? readShape(shape, assistant) : undefined;
  return {
    state_prompt: own ? (promptIn(promptOf(assistant), general) ?? "") : "",
    ...node,
    tools: list(node.tools).map((tool) => (isRecord(tool) ? toolOfHint(tool, emitted) : tool)),
    metadata: { ...recordAt(node, "metadata"), ...(extras ? { vapi: extras } : {}) },
  };
}

function hintOf(assistant: unknown): JsonObject | undefined {
  const hint = getAt(assistant, ["metadata", HINT_KEY]);
  return isRecord(hint) && Array.isArray(hint.nodes) ? hint : undefined;
}

/** Returns `undefined` if the metadata was edited and is no longer a valid graph. */
function parsed(document: unknown): AgentGraph | undefined {
  try {
    return parseGraph(document);
  } catch (error) {
    if (isCallweaveError(error)) return undefined;
    throw error;
  }
}
