import { isRecord, type JsonObject, omit, recordAt } from "../../../src/base/values/mod.ts";
import { Refusal } from "../../serving/mod.ts";
import { RETELL_SERVER_KEYS } from "../traits/mod.ts";

/** Kinds of resources of the local Retell. */
export type RetellKind = "agent" | "conversation-flow" | "conversation-flow-component" | "retell-llm" | "phone-number";

/** One version of a resource. Components and phone numbers have only one. */
export interface ResourceVersion {
  readonly number: number;
  readonly body: JsonObject;
  readonly base?: number;
  readonly isPublished: boolean;
  readonly changed: number;
}

/** A resource with all of its versions, oldest first. */
export interface Stored {
  readonly id: string;
  readonly kind: RetellKind;
  readonly workspace: string;
  readonly versions: ResourceVersion[];
}

/** Key of a resource's id in its documents, and the prefix of ids. */
export const IDS: { readonly [kind in RetellKind]: readonly [key: string, prefix: string] } = {
  agent: ["agent_id", "agent_"],
  "conversation-flow": ["conversation_flow_id", "conversation_flow_"],
  "conversation-flow-component": ["conversation_flow_component_id", "conversation_flow_component_"],
  "retell-llm": ["llm_id", "llm_"],
  "phone-number": ["phone_number", ""],
};

/** Defaults that the platform adds. */
const DEFAULTS: { readonly [kind in RetellKind]: JsonObject } = {
  agent: { channel: "voice", language: "en-US", interruption_sensitivity: 1, opt_in_signed_url: false },
  "conversation-flow": { tools: [], kb_config: { top_k: 3, filter_score: 0.6 } },
  "conversation-flow-component": {},
  "retell-llm": { model: "gpt-4.1", start_speaker: "agent" },
  "phone-number": { inbound_agents: [], outbound_agents: [] },
};

/** Read-only keys; the server ignores them in requests. A phone number's number is its id. */
const MANAGED = [...RETELL_SERVER_KEYS, "phone_number"];

/** The kind with this name in a path. */
export function retellKindNamed(name: string): RetellKind | undefined {
  return Object.keys(IDS).find((kind): kind is RetellKind => kind === name);
}

/** A change as it is stored: without read-only keys. `null` unsets a key, and is stored. */
export function storedBody(kind: RetellKind, change: JsonObject, before: JsonObject = {}): JsonObject {
  const merged = { ...before, ...omit(change, MANAGED) };
  const defaults = isSpoken(merged) ? omit(DEFAULTS[kind], ["model"]) : DEFAULTS[kind];
  return { ...defaults, ...recordAt({ body: withoutEmptyRequired(merged) }, "body") };
}

/** Whether the agent uses a speech-to-speech model; then it has no text model. */
function isSpoken({ s2s_model: model }: JsonObject): boolean {
  return typeof model === "string";
}

/** The platform drops `required: []` from JSON schemas. */
function withoutEmptyRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyRequired);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(
    ([key, item]) => !(key === "required" && Array.isArray(item) && item.length === 0),
  );
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutEmptyRequired(item)]));
}

/** A version as the API returns it. */
export function shownVersion({ id, kind }: Stored, version: ResourceVersion, linked: readonly string[]): JsonObject {
  const { number, base, body, isPublished, changed } = version;
  const named = { ...body, [IDS[kind][0]]: id };
  if (kind === "conversation-flow-component")
    return { ...named, user_modified_timestamp: changed, linked_conversation_flow_ids: linked };
  if (kind === "phone-number") return { ...named, last_modification_timestamp: changed };
  return {
    ...named,
    version: number,
    is_published: isPublished,
    ...(base === undefined ? {} : { base_version: base }),
    last_modification_timestamp: changed,
  };
}

/**
 * The version that a request asks for: a number, `latest` or `latest_published`. Default: the latest.
 *
 * @throws {Refusal} 404 for a version that does not exist.
 */
export function versionOf({ id, versions }: Stored, wanted: string | number | null): ResourceVersion {
  const found =
    wanted === null || wanted === "latest"
      ? versions.at(-1)
      : wanted === "latest_published"
        ? versions.findLast(({ isPublished }) => isPublished)
        : versions.find(({ number }) => number === Number(wanted));
  if (!found) throw new Refusal(404, `Item ${id} not found from ${wanted === null ? "the workspace" : wanted}`);
  return found;
}

/** The engine that an agent names, and its version; `null` for the latest. */
export function engineOf({ response_engine: engine }: JsonObject) {
  if (!isRecord(engine)) return undefined;
  const version = typeof engine.version === "number" ? engine.version : null;
  if (engine.type === "conversation-flow" && typeof engine.conversation_flow_id === "string")
    return { kind: "conversation-flow", id: engine.conversation_flow_id, version } as const;
  if (engine.type === "retell-llm" && typeof engine.llm_id === "string")
    return { kind: "retell-llm", id: engine.llm_id, version } as const;
  return undefined;
}

/** Ids of the shared components that a flow's nodes run. */
export function sharedComponents({ nodes }: JsonObject): readonly string[] {
  return (Array.isArray(nodes) ? nodes.filter(isRecord) : []).flatMap(
    ({ type, component_type: kind, component_id: id }) =>
      type === "component" && kind === "shared" && typeof id === "string" ? [id] : [],
  );
}
