import { canonicalJson, isRecord } from "../../../src/base/values/mod.ts";

/** Ids, and other keys that servers add. */
const MANAGED: readonly string[] = [
  ...["agent_id", "conversation_flow_id", "llm_id", "conversation_flow_component_id", "linked_conversation_flow_ids"],
  ...["version", "base_version", "is_published", "last_modification_timestamp", "user_modified_timestamp"],
  ...["assigned_tags", "response_engine", "channel"],
  ...["id", "orgId", "createdAt", "updatedAt", "latestVersion", "analyticsMetadata", "isDeleted"],
  ...["isServerUrlSecretSet", "workflowIds"],
];

/** Defaults that the platforms add. */
const DEFAULTS: readonly string[] = [
  ...["language", "interruption_sensitivity", "opt_in_signed_url", "tools", "kb_config", "model", "start_speaker"],
  ...["async", "timeoutSeconds", "staticIpAddressesEnabled", "components"],
];

/** A document without what servers manage at the top of each resource, and without what they drop. */
export function withoutManaged(document: unknown, isTop = true): unknown {
  if (Array.isArray(document)) return document.map((item) => withoutManaged(item, false));
  if (!isRecord(document)) return document;
  const entries = Object.entries(document).filter(
    ([key, value]) =>
      !(isTop && MANAGED.includes(key)) &&
      !(isTop && value === null && RESOURCES.includes(key)) && // an export of an agent has a place for every engine
      !(key === "required" && Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutManaged(value, RESOURCES.includes(key))]));
}

/** Keys whose objects are resources of their own. */
const RESOURCES: readonly string[] = ["conversationFlow", "retellLlmData", "assistant"];

/** The resources as read, without defaults that were not sent. Everything else must be equal. */
export function withoutDefaults(read: unknown, sent: unknown): unknown {
  if (Array.isArray(read) && Array.isArray(sent)) return read.map((item, index) => withoutDefaults(item, sent[index]));
  if (!isRecord(read) || !isRecord(sent)) return read;
  const entries = Object.entries(read).filter(([key]) => Object.hasOwn(sent, key) || !DEFAULTS.includes(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutDefaults(value, sent[key])]));
}

/**
 * A graph without metadata, which keeps what the graph does not model, such as ids and defaults of a server. Variables are
 * sorted: they are keys in documents, and platforms return keys in any order.
 */
export function graphOnly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(graphOnly);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "metadata" && key !== "source_metadata");
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(key, graphOnly(item))]));
}

function sorted(key: string, value: unknown): unknown {
  if (key !== "variables_to_extract" || !Array.isArray(value)) return value;
  return value.toSorted((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
}
