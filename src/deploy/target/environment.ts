import { PLATFORM_NAMES, PLATFORMS, type PlatformFacts, type PlatformName } from "../../../platforms/mod.ts";
import { isRecord, type JsonObject, mergeJson, omit, recordAt } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";

/** Settings of an agent that depend on the environment; under a platform's name, its own, merged into the flow's. */
export type EnvironmentSettings = {
  /** Voice by platform: a voice id at Retell, `{ provider, voiceId }` at Vapi. */
  readonly voice?: { readonly [Platform in PlatformName]?: unknown };
  /** Default values of dynamic variables. */
  readonly variables?: { readonly [name: string]: unknown };
  /** Ids of a workspace, such as those of knowledge bases: the name in the code, and the id in this workspace. */
  readonly ids?: { readonly [id: string]: string };
  /** Phone numbers whose calls the agent answers, such as `+14155550123`. Other numbers are not changed. */
  readonly numbers?: readonly string[];
  /** Codes of losses that may be deployed. */
  readonly acceptLosses?: readonly string[];
} & { readonly [Platform in PlatformName]?: JsonObject };

/**
 * Merges the settings of an environment into a graph, over the flow's own. Does not modify the graph; without settings,
 * returns it.
 */
export function withEnvironment(graph: AgentGraph, settings: EnvironmentSettings): AgentGraph {
  const { voice = {}, variables } = settings;
  const source = graph.source_metadata;
  const ofPlatforms = PLATFORM_NAMES.flatMap((name) => {
    const [own, set] = [withVoice(name, source[name], voice[name]), agentSettings(name, settings[name])];
    return own === undefined && !set ? [] : [[name, set ? mergeJson(isRecord(own) ? own : {}, set) : own] as const];
  });
  const metadata: JsonObject = {
    ...source,
    ...(Object.keys(voice).length > 0 ? { voice: mergeJson(recordAt(source, "voice"), voice) } : {}),
    ...Object.fromEntries(ofPlatforms),
    ...(variables
      ? { default_dynamic_variables: { ...recordAt(source, "default_dynamic_variables"), ...variables } }
      : {}),
  };
  const isSame = Object.keys(metadata).every((key) => metadata[key] === source[key]);
  return isSame ? graph : { ...graph, source_metadata: metadata };
}

/** Settings of the agent, without those that say how to deploy it; `undefined` if there are none. */
function agentSettings(name: PlatformName, set: JsonObject | undefined): JsonObject | undefined {
  const facts: PlatformFacts = PLATFORMS[name];
  const rest = set && omit(set, facts.deploy?.environmentKeys ?? []);
  return rest && Object.keys(rest).length > 0 ? rest : undefined;
}

/** A platform's own settings, with the voice where they have one already. */
function withVoice(name: PlatformName, own: unknown, voice: unknown): unknown {
  const { key, voice: write } = PLATFORMS[name].settings;
  const settings = recordAt(isRecord(own) ? own : {}, key);
  const written = write(voice);
  const isSet = Object.keys(written).some((each) => settings[each] !== undefined);
  return isRecord(own) && voice !== undefined && isSet ? { ...own, [key]: { ...settings, ...written } } : own;
}

/** Replaces ids of a document by those of an environment, in texts that are exactly an id. */
export function withIds<Document>(document: Document, ids: EnvironmentSettings["ids"] = {}): Document {
  const names = new Map(Object.entries(ids));
  return names.size === 0 ? document : replaced(document, names);
}

/** The inverse of {@link withIds}: replaces ids of an environment by those in the code. */
export function withoutIds<Document>(document: Document, ids: EnvironmentSettings["ids"] = {}): Document {
  const entries = Object.entries(ids).map(([own, there]) => [there, own] as const);
  const names = new Map(entries.reverse()); // if two names have the same id, the first one wins
  return names.size === 0 ? document : replaced(document, names);
}

function replaced<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  const each = (part: unknown): unknown => {
    if (typeof part === "string") return names.get(part) ?? part;
    if (Array.isArray(part)) return part.map(each);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, each(inner)]));
  };
  return each(value) as Value; // texts are replaced by texts, and nothing else changes
}
