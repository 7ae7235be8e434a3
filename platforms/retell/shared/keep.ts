import type { AgentGraph, Metadata } from "../../../src/graph/mod.ts";
import { type JsonObject, omit, recordAt } from "../../../src/values/mod.ts";

/**
 * Owner of Retell's settings. `metadata.retell` holds the platform's own keys, flat, whether an import or the
 * `retell: {…}` option of a flow in code put them there.
 */
export const OWNER = "retell";

/** Owner of settings that an LLM has and a flow does not. */
export const LLM_OWNER = "retell_llm";

/** Retell's own keys as metadata; empty if there are none. */
export function keep(own: JsonObject, owner = OWNER): Metadata {
  return Object.keys(own).length > 0 ? { [owner]: own } : {};
}

/** Retell's own keys of a node, transition, tool, variable or setting. They apply wherever the graph has no value. */
export function ownKeys(item: object, owner = OWNER): JsonObject {
  return recordAt(recordAt({ ...item }, "metadata"), owner);
}

/** The settings of an LLM on an object of the graph, such as `speak_during_transition` of an edge. */
export function llmKeys(item: object): JsonObject {
  return ownKeys(item, LLM_OWNER);
}

/** Retell's own keys of a flow or an LLM, without those of its agent. */
export function bodyKeys({ source_metadata: source }: AgentGraph): JsonObject {
  return omit(recordAt(source, OWNER), ["agent"]);
}
