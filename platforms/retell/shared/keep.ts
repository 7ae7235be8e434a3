import { type JsonObject, omit, recordAt } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Metadata } from "../../../src/document/graph/mod.ts";

/**
 * Owner of Retell's settings: `metadata.retell` contains the platform's own keys, from an import or from the `retell:
 * {…}` option in code.
 */
export const OWNER = "retell";

/** Owner of settings that only LLMs have. */
export const LLM_OWNER = "retell_llm";

/** Returns Retell's own keys as metadata; empty if there are none. */
export function keep(own: JsonObject, owner = OWNER): Metadata {
  return Object.keys(own).length > 0 ? { [owner]: own } : {};
}

/** Returns Retell's own keys of a node, transition, tool, variable or setting. Values of the graph take precedence. */
export function ownKeys(item: object, owner = OWNER): JsonObject {
  return recordAt(recordAt({ ...item }, "metadata"), owner);
}

/** Returns the LLM settings of an object in the graph, such as `speak_during_transition` of an edge. */
export function llmKeys(item: object): JsonObject {
  return ownKeys(item, LLM_OWNER);
}

/** Returns Retell's own keys of a flow or an LLM, without those of its agent. */
export function bodyKeys({ source_metadata: source }: AgentGraph): JsonObject {
  return omit(recordAt(source, OWNER), ["agent"]);
}
