import { RETELL_SERVER_KEYS } from "../../../platforms/mod.ts";
import { isRecord, type JsonObject, omit, records } from "../../values/mod.ts";
import type { PlatformClient } from "../http/mod.ts";
import type { RemoteResource } from "../resources/mod.ts";
import { sendForObject, sendIfPresent } from "./requests.ts";
import { COMPONENT, ENGINE_KEY, ENGINES } from "./retell_document.ts";

/** Reads a resource; `undefined` if it does not exist. Without a version, the latest one. */
export function getRetell(
  client: PlatformClient,
  kind: string,
  id: string,
  version?: number,
): Promise<JsonObject | undefined> {
  const path = `/get-${kind}/${encodeURIComponent(id)}`;
  return sendIfPresent(client, { method: "GET", path, query: { version }, about: `${words(kind)} ${id}` });
}

/** Reads all resources of a kind, page by page. Flows are listed once, whatever their number of versions. */
export async function listRetell(client: PlatformClient, kind: string): Promise<readonly JsonObject[]> {
  const found = new Map<unknown, JsonObject>();
  const seen = new Set<string | undefined>();
  let key: string | undefined;
  do {
    seen.add(key);
    const answer = await sendForObject(client, {
      method: kind === "agent" ? "POST" : "GET",
      path: `/v2/list-${kind}s`,
      query: { limit: 1000, pagination_key: key },
      ...(kind === "agent" ? { body: {} } : {}),
      isRead: true,
      about: `the list of ${words(kind)}s`,
    });
    for (const item of records(answer.items)) found.set(item[idKey(kind)], item);
    key = answer.has_more === true && typeof answer.pagination_key === "string" ? answer.pagination_key : undefined;
  } while (key !== undefined && !seen.has(key));
  return [...found.values()];
}

/** A resource from a response. */
export function asRetell(kind: string, name: string, answer: JsonObject): RemoteResource {
  const version = numberOf(answer.version);
  const changed = numberOf(answer.last_modification_timestamp) ?? numberOf(answer.user_modified_timestamp);
  return {
    kind,
    name,
    id: String(answer[idKey(kind)]),
    body: { ...omit(answer, [...RETELL_SERVER_KEYS, ENGINE_KEY]), ...engineOf(answer) },
    ...(version === undefined ? {} : { version }),
    isPublished: answer.is_published === true,
    ...(changed === undefined ? {} : { changed: new Date(changed).toISOString() }),
  };
}

/** The engine of an agent, without its version: every draft has another one. */
function engineOf({ [ENGINE_KEY]: engine }: JsonObject): JsonObject {
  return isRecord(engine) ? { [ENGINE_KEY]: omit(engine, ["version"]) } : {};
}

/** Key of a resource's id in responses. */
export function idKey(kind: string): string {
  if (kind === "phone-number") return "phone_number";
  if (kind === COMPONENT) return "conversation_flow_component_id";
  return ENGINES.find((engine) => engine.kind === kind)?.id ?? "agent_id";
}

/** A kind as messages name it: `conversation flow`. */
export function words(kind: string): string {
  return kind === "retell-llm" ? "Retell LLM" : kind.replaceAll("-", " ");
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
