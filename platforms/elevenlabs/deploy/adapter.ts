import * as v from "valibot";
import { DeployError } from "../../../src/base/errors.ts";
import { ID, NOTHING, type PlatformClient, type PlatformRequest, readListPages } from "../../../src/base/http/mod.ts";
import { isRecord, type JsonObject, omit, own, recordAt, sameJson } from "../../../src/base/values/mod.ts";
import {
  type Adapter,
  type PhoneNumber,
  type PhoneNumbers,
  type RemoteResource,
  sendDeletion,
  sendIfPresent,
} from "../../deploying/mod.ts";
import { joinElevenLabs, openElevenLabs, requestBody, splitElevenLabs } from "./document.ts";

const TEXT = v.nullish(v.string());

const AGENT = v.looseObject({
  agent_id: ID,
  name: TEXT,
  conversation_config: v.looseObject({}),
  version_id: TEXT,
  branch_id: TEXT,
  main_branch_id: TEXT,
  metadata: v.nullish(v.looseObject({ updated_at_unix_secs: v.nullish(v.number()) })),
});

const TOOL = v.looseObject({ id: ID, tool_config: v.looseObject({ name: v.string(), type: TEXT }) });

const PAGED = { has_more: v.nullish(v.boolean()), next_cursor: TEXT };
const AGENTS = v.looseObject({ ...PAGED, agents: v.array(v.looseObject({ agent_id: ID, name: TEXT })) });
const TOOLS = v.looseObject({ ...PAGED, tools: v.array(TOOL) });
const NUMBER = v.looseObject({
  phone_number_id: ID,
  phone_number: v.string(),
  assigned_agent: v.nullish(v.looseObject({ agent_id: ID })),
});

export const BASE = "/v1/convai";

/** An agent, or a branch of one: `AGENT_ID@BRANCH_ID`. */
function placeOf(id: string) {
  const [agent = "", branch] = id.split("@");
  return { agent, path: `${BASE}/agents/${encodeURIComponent(agent)}`, query: { branch_id: branch }, branch };
}

/** ElevenLabs: the agent, with its workflow, and the tools that were created for it. */
export const elevenLabsAdapter: Adapter = {
  name: "elevenlabs",
  title: "ElevenLabs",
  kinds: ["tool", "agent"],
  engines: { elevenlabs: "an agent" },
  hasPart: () => true,
  answersCalls: (kind) => kind === "agent",
  open: openElevenLabs,
  split: splitElevenLabs,
  join: joinElevenLabs,
  read: async (client, ids) => {
    const found: RemoteResource[] = [];
    for (const [address, id] of Object.entries(ids)) {
      const [kind = "", name = kind] = address.split(/:(.*)/s);
      const tool = kind === "tool" ? await getTool(client, id) : undefined;
      const agent = kind === "agent" ? await getAgent(client, id) : undefined;
      if (tool) found.push(asTool(name, tool));
      if (agent) found.push(asAgent(id, agent));
    }
    return found;
  },
  write: async (client, { kind, name, body }, { remote }) => {
    if (remote && sameJson(remote.body, body)) return remote;
    return kind === "tool" ? await writeTool(client, name, body, remote) : await writeAgent(client, body, remote);
  },
  remove: async (client, { kind, id }) => {
    const { path, branch } = placeOf(id);
    if (branch !== undefined) {
      throw new DeployError(`Cannot delete branch ${branch}: ElevenLabs' API archives branches, and deletes none`, {
        code: "not-deployable",
        hint: "Archive the branch in the dashboard, and remove it from callweave.lock.json",
      });
    }
    const isTool = kind === "tool";
    const at = isTool ? `${BASE}/tools/${encodeURIComponent(id)}` : path;
    const request = { method: "DELETE", path: at, about: `${kind} ${id}`, answer: NOTHING } as const;
    await sendDeletion(client, request, () => (isTool ? getTool(client, id) : getAgent(client, id)));
  },
  list: async (client, kind) => (kind === "tool" ? await listTools(client) : await listAgents(client)),
  find: async (client, id) => {
    // tools of the workspace may be those of other agents, too: they stay ids
    if (await getAgent(client, id)) return { agent: id };
    throw new DeployError(`Cannot read ${id}: the workspace has no such agent or branch`, {
      code: "platform-missing",
      hint: "Check the id, AGENT_ID or AGENT_ID@BRANCH_ID, and the key of the environment",
    });
  },
  workspaceOf: async () => undefined, // ElevenLabs' answers do not name the workspace
  numbers: numbers(),
};

/** Phone numbers: one agent answers the calls of each. */
function numbers(): PhoneNumbers {
  const asNumber = ({
    phone_number_id: id,
    phone_number: number,
    assigned_agent: agent,
  }: v.InferOutput<typeof NUMBER>): PhoneNumber => ({
    ...{ id, number },
    targets: agent ? [{ kind: "agent", id: agent.agent_id }] : [],
  });
  const list = async (client: PlatformClient) => {
    const request = {
      method: "GET",
      path: `${BASE}/phone-numbers`,
      about: "the list of phone numbers",
      answer: v.array(NUMBER),
    } as const;
    return (await client.send(request)).map(asNumber);
  };
  return {
    list,
    point: async (client, { id, number }, target) => {
      const path = `${BASE}/phone-numbers/${encodeURIComponent(id)}`;
      const { agent } = placeOf(target.id);
      const about = `phone number ${number}`;
      const isAsked = (found: v.InferOutput<typeof NUMBER>) =>
        found.phone_number_id === id && found.phone_number === number;
      const answer = v.pipe(NUMBER, v.check(isAsked, "is about another number"));
      const request = { method: "PATCH", path, body: { agent_id: agent }, about, answer } as const;
      const now = asNumber(await client.send(request));
      if (now.targets[0]?.id === agent) return now;
      throw client.unusable(request, `does not name agent ${agent}`);
    },
  };
}

async function writeTool(client: PlatformClient, name: string, body: JsonObject, remote: RemoteResource | undefined) {
  const about = `tool "${name}"`;
  const path = `${BASE}/tools${remote ? `/${encodeURIComponent(remote.id)}` : ""}`;
  const request = { method: remote ? "PATCH" : "POST", path, body, about, answer: TOOL } as const;
  const answer = await client.send(request);
  if ((remote && answer.id !== remote.id) || answer.tool_config.name !== recordAt(body, "tool_config").name)
    throw client.unusable(request, "is about another tool");
  return asTool(name, answer);
}

async function writeAgent(client: PlatformClient, body: JsonObject, remote: RemoteResource | undefined) {
  if (remote) {
    const { agent, path, query } = placeOf(remote.id);
    const changes = changesOf(remote.body, body);
    const request = { method: "PATCH", path, query, body: changes, about: `agent ${agent}`, answer: AGENT } as const;
    const answer = await client.send(request);
    if (answer.agent_id !== agent) throw client.unusable(request, "is about another agent");
    return asAgent(remote.id, answer);
  }
  const creation = { method: "POST", path: `${BASE}/agents/create`, body, about: "a new agent" } as const;
  const { agent_id: id } = await client.send({ ...creation, answer: v.looseObject({ agent_id: ID }) });
  // the answer has the id alone
  const made = await getAgent(client, id);
  if (made && (body.name === undefined || made.name === body.name)) return asAgent(id, made);
  throw client.unusable({ ...creation, answer: AGENT }, "names an agent that is another one, or is not there");
}

/** Objects that a change merges key by key; all others are replaced as a whole. */
const MERGED = ["conversation_config", "platform_settings"];
/** Objects inside them whose keys are names: they are replaced as a whole, too. */
const MAPS = ["dynamic_variable_placeholders", "language_presets", "data_collection"];

/** What a change sends: of the configuration, the keys that differ, and `null` for those that are removed. */
export function changesOf(before: JsonObject, after: JsonObject): JsonObject {
  const differing = Object.keys({ ...before, ...after }).filter((key) => !sameJson(own(before, key), own(after, key)));
  return Object.fromEntries(
    differing.map((key) => {
      const [old, now] = [own(before, key), own(after, key)];
      const isMerged = MERGED.includes(key) && isRecord(old) && isRecord(now);
      return [key, isMerged ? partOf(old, now) : (now ?? null)];
    }),
  );
}

function partOf(before: JsonObject, after: JsonObject): JsonObject {
  const keys = Object.keys({ ...before, ...after }).filter((key) => !sameJson(own(before, key), own(after, key)));
  return Object.fromEntries(
    keys.map((key) => {
      const [old, now] = [own(before, key), own(after, key)];
      const isMerged = isRecord(old) && isRecord(now) && !MAPS.includes(key);
      return [key, isMerged ? partOf(old, now) : (now ?? null)];
    }),
  );
}

export function getAgent(client: PlatformClient, id: string): Promise<v.InferInput<typeof AGENT> | undefined> {
  const { agent, path, query } = placeOf(id);
  const answer = v.pipe(
    AGENT,
    v.check((found) => found.agent_id === agent, "is about another agent"),
  );
  return sendIfPresent(client, { method: "GET", path, query, about: `agent ${id}`, answer });
}

function getTool(client: PlatformClient, id: string): Promise<v.InferInput<typeof TOOL> | undefined> {
  const answer = v.pipe(
    TOOL,
    v.check((found) => found.id === id, "is about another tool"),
  );
  return sendIfPresent(client, {
    method: "GET",
    path: `${BASE}/tools/${encodeURIComponent(id)}`,
    about: `tool ${id}`,
    answer,
  });
}

const queryOf = (cursor: string | null | undefined) => ({ page_size: 100, cursor: cursor ?? undefined });

async function listAgents(client: PlatformClient) {
  const requestOf = (cursor?: string | null) =>
    ({
      method: "GET",
      path: `${BASE}/agents`,
      query: queryOf(cursor),
      about: "the list of agents",
      answer: AGENTS,
    }) satisfies PlatformRequest;
  const found: { id: string; name: string }[] = [];
  const pages = readListPages(client, {
    first: requestOf(),
    itemsOf: ({ agents }) => agents,
    idOf: ({ agent_id: id }) => id,
    next: ({ has_more: more, next_cursor: cursor }) => (more && cursor ? requestOf(cursor) : undefined),
  });
  for await (const { items } of pages) found.push(...items.map(({ agent_id: id, name }) => ({ id, name: name ?? "" })));
  return found;
}

async function listTools(client: PlatformClient) {
  const requestOf = (cursor?: string | null) =>
    ({
      method: "GET",
      path: `${BASE}/tools`,
      query: queryOf(cursor),
      about: "the list of tools",
      answer: TOOLS,
    }) satisfies PlatformRequest;
  const found: { id: string; name: string }[] = [];
  const pages = readListPages(client, {
    first: requestOf(),
    itemsOf: ({ tools }) => tools,
    idOf: ({ id }) => id,
    next: ({ has_more: more, next_cursor: cursor }) => (more && cursor ? requestOf(cursor) : undefined),
  });
  for await (const { items } of pages) found.push(...items.map(({ id, tool_config: { name } }) => ({ id, name })));
  return found;
}

/** An agent from a response. `access_info`, which has a person's name and e-mail address, is left out. */
function asAgent(id: string, answer: v.InferInput<typeof AGENT>): RemoteResource {
  const { version_id: version, metadata } = answer;
  const seconds = metadata?.updated_at_unix_secs;
  return {
    ...{ kind: "agent", name: "agent", id, body: requestBody(openElevenLabs(answer)) },
    ...(typeof version === "string" ? { version } : {}),
    ...(typeof seconds === "number" ? { changed: new Date(seconds * 1_000).toISOString() } : {}),
  };
}

function asTool(name: string, answer: JsonObject): RemoteResource {
  return { kind: "tool", name, id: String(answer.id), body: omit(answer, ["id", "access_info", "usage_stats"]) };
}
