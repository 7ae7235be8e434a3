import * as v from "valibot";
import { DeployError } from "../../../src/base/errors.ts";
import {
  ID,
  NOTHING,
  type PlatformClient,
  type PlatformRequest,
  readListPages,
  TIME,
} from "../../../src/base/http/mod.ts";
import { isRecord, type JsonObject, omit, recordAt, records } from "../../../src/base/values/mod.ts";
import {
  type Adapter,
  addressOf,
  changedKeys,
  type NumberTarget,
  type PhoneNumber,
  type PhoneNumbers,
  type RemoteResource,
  type Resource,
  type ResourceIds,
  type ResourceWrite,
  sendCreation,
  sendDeletion,
  sendIfPresent,
} from "../../deploying/mod.ts";
import { RETELL_SERVER_KEYS } from "../traits/mod.ts";
import {
  COMPONENT_KIND,
  ENGINE_KEY,
  ENGINES,
  type Engine,
  joinRetell,
  openRetell,
  sharedIds,
  splitRetell,
} from "./document.ts";

const NUMBER = v.pipe(v.number(), v.integer("is not a number of a version"), v.minValue(0));

const PARTS = v.nullish(v.array(v.looseObject({ id: v.string() })));

const TEXT = v.nullish(v.string());

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

/** Phone numbers of Retell: a list of agents with their share of the calls. */
const retellNumbers: PhoneNumbers = {
  list: async (client) => (await listRetell(client, "phone-number")).map(asNumber),
  point: async (client: PlatformClient, { id }: PhoneNumber, target: NumberTarget) => {
    const { id: agent_id, version } = target;
    const agent = { agent_id, weight: 1, ...(version === undefined ? {} : { agent_version: version }) };
    const request = {
      method: "PATCH",
      path: `/update-phone-number/${encodeURIComponent(id)}`,
      body: { inbound_agents: [agent] },
      about: `phone number ${id}`,
      answer: answerShape("phone-number", { id }),
    } as const;
    const now = asNumber(await client.send(request));
    if (now.targets.length === 1 && now.targets[0]?.id === agent_id) return now;
    throw client.unusable(request, `does not name agent ${agent_id} alone`);
  },
};

/** Retell: an agent, the conversation flow or LLM that answers its calls, and the flow's shared components. */
export const retellAdapter: Adapter = {
  name: "retell",
  title: "Retell",
  kinds: [COMPONENT_KIND, ...ENGINES.map(({ kind }) => kind), "agent"],
  engines: { retell: "a conversation flow", "retell-llm": "a Retell LLM" },
  hasPart: (format, address) => address === "agent" || (address === "retell-llm") === (format === "retell-llm"),
  engineKey: ENGINE_KEY,
  answersCalls: (kind) => kind === "agent",
  open: openRetell,
  split: splitRetell,
  join: joinRetell,
  read,
  prepare: async (client, remote, wanted) => {
    const agent = remote.find(({ kind }) => kind === "agent");
    // a published version cannot be changed; the new draft has an engine version of its own
    const now = agent?.isPublished ? await withDraft(client, remote, agent) : remote;
    const draft = now.find(({ kind }) => kind === "agent");
    const isWanted = ({ kind }: Resource) => wanted.some((each) => each.kind === kind);
    const engine = now.filter(isEngine).find(isWanted);
    if (!draft || !engine?.isPublished) return now;
    // an engine that the agent had earlier: only a version of the agent that uses it gets a draft of it
    await client.send({ ...updateOf(draft), body: engineNamed(engine) });
    return await withDraft(client, now, draft);
  },
  write: async (client, resource, options) => {
    const { kind } = resource;
    const { remote } = options;
    const changed = remote ? changedKeys(remote.body, resource.body) : resource.body;
    if (remote && Object.keys(changed).length === 0) return remote;
    const body = withVersion(changed, options);
    const creation = {
      method: "POST",
      path: `/create-${kind}`,
      body,
      about: `a new ${words(kind)}`,
      answer: answerShape(kind),
    } as const;
    const answer = remote ? await client.send({ ...updateOf(remote), body }) : await sendCreation(client, creation);
    return asRetell(kind, resource.name, answer);
  },
  publish: async (client, written) => {
    const agent = written.find(({ kind }) => kind === "agent");
    if (!agent || agent.isPublished) return;
    const about = `publishing agent ${agent.id}`;
    await client.send({
      method: "POST",
      path: `/publish-agent-version/${encodeURIComponent(agent.id)}`,
      body: { version: agent.version },
      about,
      answer: NOTHING,
    });
    const now = await getRetell(client, "agent", agent.id, numberOf(agent.version));
    if (now?.is_published === true) return;
    // according to one report, publishing was answered with 200 and published nothing
    throw new DeployError(`${about}: Retell answers that it is done, and version ${agent.version} is still a draft`, {
      code: "platform-refused",
      hint: "Publish the version in the dashboard",
    });
  },
  remove: async (client, { kind, id }) => {
    const about = `${words(kind)} ${id}`;
    const path = `/delete-${kind}/${encodeURIComponent(id)}`;
    const request = { method: "DELETE", path, about, answer: NOTHING } as const;
    await sendDeletion(client, request, () => getRetell(client, kind, id));
  },
  list: async (client, kind) =>
    (await listRetell(client, kind)).map((item) => ({
      id: String(item[idKey(kind)]),
      name: String(item.agent_name ?? item.name ?? ""),
    })),
  find: async (client, id) => {
    const found = await read(client, { [kindOf(id)]: id });
    const [root] = found.slice(-1);
    if (!root) {
      throw new DeployError(`Cannot read ${id}: the workspace has no such agent, flow or Retell LLM`, {
        code: "platform-missing",
        hint: "Check the id, and the key of the environment",
      });
    }
    if (root.kind === "agent" && found.length === 1) {
      throw new DeployError(`Cannot adopt agent ${id}: it has neither a conversation flow nor a Retell LLM`, {
        code: "not-deployable",
        hint: "Pass the id of an agent with a conversation flow or a Retell LLM",
      });
    }
    const flow = found.find(({ kind }) => kind === "conversation-flow");
    const components: RemoteResource[] = [];
    for (const shared of new Set(flow ? sharedIds(flow.body) : [])) {
      const answer = await getRetell(client, COMPONENT_KIND, shared);
      if (answer) components.push(asRetell(COMPONENT_KIND, shared, answer));
    }
    // names come from the document
    return Object.fromEntries(
      splitRetell(joinRetell([...components, ...found])).flatMap((each) =>
        each.id === undefined ? [] : [[addressOf(each), each.id] as const],
      ),
    );
  },
  workspaceOf: async () => undefined, // Retell's responses do not contain the workspace
  numbers: retellNumbers,
};

/** The kind of a resource, from the prefix of its id. Ids of older agents have none. */
function kindOf(id: string): string {
  if (id.startsWith("conversation_flow_component_")) return COMPONENT_KIND;
  if (id.startsWith("conversation_flow_")) return "conversation-flow";
  return id.startsWith("llm_") ? "retell-llm" : "agent";
}

/** Reads the components, the engine in the version that the agent uses, and the agent. */
async function read(client: PlatformClient, ids: ResourceIds): Promise<readonly RemoteResource[]> {
  const found: RemoteResource[] = [];
  for (const [address, id] of Object.entries(ids)) {
    const [kind = "", name = kind] = address.split(/:(.*)/s);
    const component = kind === COMPONENT_KIND ? await getRetell(client, COMPONENT_KIND, id) : undefined;
    if (component) found.push(asRetell(COMPONENT_KIND, name, component));
  }
  const agent = ids.agent === undefined ? undefined : await getRetell(client, "agent", ids.agent);
  const running = agent ? runningEngine(agent) : undefined;
  const isNew = ENGINES.every(({ kind }) => ids[kind] === undefined);
  for (const engine of ENGINES) {
    // an agent of the lock file keeps its own engines, whichever the dashboard has given it
    const id = isNew && running?.engine === engine ? running.id : ids[engine.kind];
    const version = id === running?.id ? running?.version : undefined;
    const answer = id === undefined ? undefined : await getRetell(client, engine.kind, id, version);
    if (answer) found.push(asRetell(engine.kind, engine.kind, answer));
  }
  return agent ? [...found, asRetell("agent", "agent", agent)] : found;
}

function runningEngine(agent: JsonObject): { engine: Engine; id: string; version?: number } | undefined {
  const response = recordAt(agent, "response_engine");
  const engine = ENGINES.find(({ kind }) => kind === response.type);
  const id = engine && isRecord(response) ? response[engine.id] : undefined;
  const version = numberOf(response.version);
  return engine && typeof id === "string" ? { engine, id, ...(version === undefined ? {} : { version }) } : undefined;
}

function isEngine({ kind }: Resource): boolean {
  return ENGINES.some((engine) => engine.kind === kind);
}

/** The key of an agent that names an engine and its version. */
function engineNamed({ kind, id, version }: RemoteResource): JsonObject {
  const key = ENGINES.find((engine) => engine.kind === kind)?.id;
  return key === undefined ? {} : { [ENGINE_KEY]: { type: kind, [key]: id, version } };
}

/** The body of an agent with the version of the engine written before it. */
function withVersion(body: JsonObject, { written }: ResourceWrite): JsonObject {
  const engine = recordAt(body, ENGINE_KEY);
  const found = [...written.values()].find((each) => isEngine(each) && Object.values(engine).includes(each.id));
  return found ? { ...body, ...engineNamed(found) } : body;
}

/** The change of a resource, in the version that was read. */
function updateOf({ kind, id, version }: RemoteResource) {
  const number = numberOf(version);
  return {
    method: "PATCH",
    path: `/update-${kind}/${encodeURIComponent(id)}`,
    query: { version: number },
    about: `${words(kind)} ${id}`,
    answer: answerShape(kind, { id, version: number }),
  } as const;
}

/** Creates a draft of a version of an agent, and reads everything again. */
async function withDraft(
  client: PlatformClient,
  remote: readonly RemoteResource[],
  { id, version }: RemoteResource,
): Promise<readonly RemoteResource[]> {
  await client.send({
    method: "POST",
    path: `/create-agent-version/${encodeURIComponent(id)}`,
    body: { base_version: version },
    about: `a new version of agent ${id}`,
    answer: answerShape("agent", { id }),
  });
  return await read(client, Object.fromEntries(remote.map((each) => [addressOf(each), each.id])));
}

function asNumber(answer: JsonObject): PhoneNumber {
  const number = String(answer.phone_number);
  const targets = records(answer.inbound_agents).map(
    ({ agent_id: id, agent_version: version, weight }): NumberTarget => {
      const isNamed = typeof version === "number" || typeof version === "string";
      return {
        kind: "agent",
        id: String(id),
        ...(isNamed ? { version } : {}),
        ...(typeof weight === "number" ? { weight } : {}),
      };
    },
  );
  return { id: number, number, targets };
}

/** The expected id and version of a resource. */
interface Expected {
  readonly id?: string | undefined;
  readonly version?: number | undefined;
}

/** Shape of a resource in answers: the one that was asked for, if it is known. */
function answerShape(kind: string, { id, version }: Expected = {}) {
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
function getRetell(
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
async function listRetell(client: PlatformClient, kind: string): Promise<readonly JsonObject[]> {
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
function asRetell(kind: string, name: string, answer: JsonObject): RemoteResource {
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
function idKey(kind: string): string {
  if (kind === "phone-number") return "phone_number";
  if (kind === COMPONENT_KIND) return "conversation_flow_component_id";
  return ENGINES.find((engine) => engine.kind === kind)?.id ?? "agent_id";
}

/** A kind as messages name it: `conversation flow`. */
function words(kind: string): string {
  return kind === "retell-llm" ? "Retell LLM" : kind.replaceAll("-", " ");
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
