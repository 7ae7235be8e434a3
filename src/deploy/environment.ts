import type { AgentGraph } from "../graph/mod.ts";
import { isRecord, type JsonObject, recordAt } from "../values/mod.ts";

/** What differs between the environments of one agent. */
export interface EnvironmentSettings {
  /** Voice by platform: a voice id at Retell, `{ provider, voiceId }` at Vapi. */
  readonly voice?: { readonly retell?: string; readonly vapi?: JsonObject };
  /** Settings of Retell's flow or LLM, and under `agent` those of the agent; merged into the flow's own. */
  readonly retell?: JsonObject;
  /** Settings of Vapi's squad or assistant; merged into the flow's own. */
  readonly vapi?: JsonObject;
  /** Default values of dynamic variables. */
  readonly variables?: { readonly [name: string]: unknown };
  /** Ids of a workspace, such as those of knowledge bases: what the code says, and what stands for it here. */
  readonly ids?: { readonly [id: string]: string };
  /** Phone numbers whose calls the agent answers, such as `+14155550123`. Others are left alone. */
  readonly numbers?: readonly string[];
  /** Codes of losses that may be deployed. */
  readonly acceptLosses?: readonly string[];
}

/**
 * Puts the settings of an environment into a graph, where the flow's own ones are. The graph itself is not changed, and
 * one without settings is returned as it is.
 */
export function withEnvironment(graph: AgentGraph, settings: EnvironmentSettings): AgentGraph {
  const { voice = {}, retell, vapi, variables } = settings;
  const source = graph.source_metadata;
  const metadata: JsonObject = {
    ...source,
    ...(Object.keys(voice).length > 0 ? { voice: merged(recordAt(source, "voice"), voice) } : {}),
    ...merged(platformVoices(source, voice), { ...(retell ? { retell } : {}), ...(vapi ? { vapi } : {}) }),
    ...(variables
      ? { default_dynamic_variables: { ...recordAt(source, "default_dynamic_variables"), ...variables } }
      : {}),
  };
  const isSame = Object.keys(metadata).every((key) => metadata[key] === source[key]);
  return isSame ? graph : { ...graph, source_metadata: metadata };
}

/** The platforms' settings, with the voice where an imported agent has its own. */
function platformVoices(source: AgentGraph["source_metadata"], voice: { readonly retell?: string }): JsonObject {
  const { retell, vapi } = source;
  const agent = recordAt(isRecord(retell) ? retell : {}, "agent");
  const own =
    voice.retell !== undefined && isRecord(retell) && agent.voice_id !== undefined
      ? { ...retell, agent: { ...agent, voice_id: voice.retell } }
      : retell;
  return { ...(own === undefined ? {} : { retell: own }), ...(vapi === undefined ? {} : { vapi }) };
}

/** Objects are merged key by key; lists and single values are replaced. */
function merged(before: JsonObject, after: JsonObject): JsonObject {
  const changed = Object.entries(after).map(([key, value]) => {
    const old = before[key];
    return [key, isRecord(old) && isRecord(value) ? merged(old, value) : value] as const;
  });
  return { ...before, ...Object.fromEntries(changed) };
}

/** Replaces ids of a document by those of an environment: only texts that are exactly an id. */
export function withIds<Document>(document: Document, ids: EnvironmentSettings["ids"] = {}): Document {
  const names = new Map(Object.entries(ids));
  return names.size === 0 ? document : replaced(document, names);
}

/** Replaces ids of an environment by those that the code has: what {@link withIds} did, taken back. */
export function withoutIds<Document>(document: Document, ids: EnvironmentSettings["ids"] = {}): Document {
  const entries = Object.entries(ids).map(([own, there]) => [there, own] as const);
  const names = new Map(entries.reverse()); // where two stand for one id, the first one is taken
  return names.size === 0 ? document : replaced(document, names);
}

function replaced<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  const each = (part: unknown): unknown => {
    if (typeof part === "string") return names.get(part) ?? part;
    if (Array.isArray(part)) return part.map(each);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, each(inner)]));
  };
  return each(value) as Value; // texts become texts, and nothing else changes
}
