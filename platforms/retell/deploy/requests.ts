import * as v from "valibot";
import { ID, type PlatformClient, type PlatformRequest, readListPages, TIME } from "../../../src/base/http/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/base/values/mod.ts";
import { type RemoteResource, sendIfPresent } from "../../deploying/mod.ts";
import { RETELL_SERVER_KEYS } from "../traits/mod.ts";
import { COMPONENT_KIND, ENGINE_KEY, ENGINES } from "./document.ts";

const NUMBER = v.pipe(v.number(), v.integer("is not a number of a version"), v.minValue(0));
const TEXT = v.nullish(v.string());
const PARTS = v.nullish(v.array(v.looseObject({ id: v.string() })));
const VERSIONED = {
  version: NUMBER,
  is_published: v.nullish(v.boolean()),
  last_modification_timestamp: v.nullish(TIME),
};

/** The keys that are read of each kind of resource; see the vendor's published responses. */
const SHAPES: { readonly [kind: string]: v.ObjectEntries } = {
  agent: { ...VERSIONED, agent_name: TEXT, response_engine: v.looseObject({ type: v.string() }) },
  "conversation-flow": { ...VERSIONED, nodes: PARTS, components: v.nullish(v.array(v.looseObject({}))) },
  "retell-llm": { ...VERSIONED, version: v.nullish(NUMBER) },
  [COMPONENT_KIND]: { name: v.string(), nodes: PARTS, user_modified_timestamp: v.nullish(TIME) },
  "phone-number": {
    inbound_agents: v.nullish(
      v.array(
        v.looseObject({
          agent_id: ID,
          agent_version: v.nullish(v.union([NUMBER, v.string()])),
          weight: v.nullish(v.number()),
        }),
      ),
    ),
  },
};

/** The expected id and version of a resource. */
interface Expected {
  readonly id?: string | undefined;
  readonly version?: number | undefined;
}

/** Shape of a resource in answers: the one that was asked for, if it is known. */
export function answerShape(kind: string, { id, version }: Expected = {}) {
  const key = idKey(kind);
  return v.pipe(
    v.looseObject({ ...SHAPES[kind], [key]: ID }),
    v.check((answer) => id === undefined || answer[key] === id, `is about another ${words(kind)}`),
    v.check(({ version: own }) => version === undefined || (own ?? version) === version, "is of another version"),
  );
}

/** Shape of a page of a list. Lists may lack parts of a resource, except those of phone numbers. */
function pageShape(kind: string) {
  const shape = SHAPES[kind] ?? {};
  const parts = Object.entries(shape).map(([key, part]) => [key, v.nullish(part)] as const);
  const listed = kind === "phone-number" ? shape : { agent_name: TEXT, name: TEXT, ...Object.fromEntries(parts) };
  const item = { ...listed, [idKey(kind)]: ID };
  return v.pipe(
    v.looseObject({
      items: v.array(v.looseObject(item)),
      has_more: v.nullish(v.boolean()),
      pagination_key: TEXT,
    }),
    v.check((page) => page.has_more !== true || typeof page.pagination_key === "string", "has no key of the next page"),
  );
}

/** Reads a resource; `undefined` if it does not exist. Without a version, the latest one. */
export function getRetell(
  client: PlatformClient,
  kind: string,
  id: string,
  version?: number,
): Promise<JsonObject | undefined> {
  return sendIfPresent(client, {
    method: "GET",
    path: `/get-${kind}/${encodeURIComponent(id)}`,
    query: { version },
    about: `${words(kind)} ${id}`,
    answer: answerShape(kind, { id, version }),
  });
}

/** Reads all resources of a kind, page by page. Flows are listed once, whatever their number of versions. */
export async function listRetell(client: PlatformClient, kind: string): Promise<readonly JsonObject[]> {
  const requestOf = (key?: string | null) =>
    ({
      method: kind === "agent" ? "POST" : "GET",
      path: `/v2/list-${kind}s`,
      query: { limit: 1000, pagination_key: key ?? undefined },
      ...(kind === "agent" ? { body: {} } : {}),
      isRead: true,
      about: `the list of ${words(kind)}s`,
      answer: pageShape(kind),
    }) satisfies PlatformRequest;
  const found: JsonObject[] = [];
  const pages = readListPages(client, {
    first: requestOf(),
    itemsOf: ({ items }) => items,
    idOf: (item) => String(item[idKey(kind)]),
    next: ({ has_more, pagination_key }) => (has_more === true ? requestOf(pagination_key) : undefined),
  });
  for await (const { items } of pages) found.push(...items);
  return found;
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
  if (kind === COMPONENT_KIND) return "conversation_flow_component_id";
  return ENGINES.find((engine) => engine.kind === kind)?.id ?? "agent_id";
}

/** A kind as messages name it: `conversation flow`. */
export function words(kind: string): string {
  return kind === "retell-llm" ? "Retell LLM" : kind.replaceAll("-", " ");
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
