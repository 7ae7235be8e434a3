import type { AgentGraph, Metadata } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";

/**
 * The owner under which graphs keep what is Retell's. `metadata.retell` holds the platform's own keys, flat, whether
 * they came with an import or from the `retell: {…}` option of a flow in code: one place, one mechanism.
 */
export const OWNER = "retell";

/** Retell's own keys of an object as its metadata; no key is no metadata at all. */
export function keep(own: JsonObject): Metadata {
  return Object.keys(own).length > 0 ? { [OWNER]: own } : {};
}

/** Retell's own keys of an object of the graph: emitted as they are, wherever the graph does not say otherwise. */
export function ownKeys(metadata: unknown): JsonObject {
  const own = isRecord(metadata) && Object.hasOwn(metadata, OWNER) ? metadata[OWNER] : undefined;
  return isRecord(own) ? own : {};
}

/** Retell's own keys of a flow or an LLM: those of the agent around it stand among them under `agent`. */
export function bodyKeys({ source_metadata: source }: AgentGraph): JsonObject {
  return omit(ownKeys(source), ["agent"]);
}
