import * as v from "valibot";
import { DeployError } from "../../../src/base/errors.ts";
import { ID, NOTHING, type PlatformClient, type PlatformRequest, readListPages } from "../../../src/base/http/mod.ts";
import { isTexts, type JsonObject, omit, records, sameJson } from "../../../src/base/values/mod.ts";
import {
  type Adapter,
  addressOf,
  changedKeys,
  type DeployEnvironment,
  type RemoteResource,
  type ResourceIds,
  sendCreation,
  sendDeletion,
  sendIfPresent,
  unlinkIds,
} from "../../deploying/mod.ts";
import { isText } from "../shared/mod.ts";
import { releaseSettings } from "./canary.ts";
import { joinTelnyx, openTelnyx, sharedIds, splitTelnyx, withoutResolved } from "./document.ts";
import { type AssistantRequests, telnyxReleases } from "./releases.ts";
import { assistantPath, draftName, versionsOf } from "./versions.ts";

const TEXT = v.nullish(v.string());

/** The keys that are read of each kind of resource. */
const SHAPES: { readonly [kind: string]: v.ObjectEntries } = {
  tool: { type: v.string(), display_name: TEXT },
  assistant: {
    name: v.string(),
    instructions: v.string(),
    version_id: TEXT,
    version_created_at: TEXT,
    tools: v.nullish(v.array(v.looseObject({ type: v.string() }))),
  },
};

/** Keys that servers add to shared tools. */
const TOOL_SERVER_KEYS = ["id", "created_at", "updated_at", "organization_id", "user_id", "shared"];

const PATHS: { readonly [kind: string]: string } = { tool: "/ai/tools", assistant: "/ai/assistants" };

const PAGE = 100;

/** The adapter for an environment, which may promote each version, or give it a share of the calls. */
export function telnyxAdapterIn({ settings }: Pick<DeployEnvironment, "settings"> = { settings: {} }): Adapter {
  return { ...telnyxAdapter, releases: telnyxReleases(releaseSettings(settings), REQUESTS) };
}

const REQUESTS: AssistantRequests = {
  get: async (client, id) => await get(client, "assistant", id),
  update: async (client, id, body) => {
    const about = `assistant ${id}`;
    return await client.send({
      method: "POST",
      path: assistantPath(id),
      body,
      about,
      answer: shapeOf("assistant", id),
    });
  },
  asAssistant,
};

/** Telnyx: the shared tools of an assistant, and the assistant with its flow. Each update is a version; see `releases`. */
export const telnyxAdapter: Adapter = {
  name: "telnyx",
  title: "Telnyx",
  kinds: ["tool", "assistant"],
  engines: { telnyx: "an assistant" },
  hasPart: () => true,
  answersCalls: (kind) => kind === "assistant",
  open: openTelnyx,
  split: splitTelnyx,
  join: joinTelnyx,
  read,
  write: async (client, { kind, name, body }, { remote, written }) => {
    const changed = remote ? changedKeys(remote.body, body) : body;
    if (remote && Object.keys(changed).length === 0) return remote;
    const tools = [...written.values()].filter((each) => each.kind === "tool");
    const sent = remote && kind === "assistant" ? await asDraft(client, remote.id, { changed, body, tools }) : changed;
    const request = {
      // an assistant is updated by POST, a tool by PATCH
      method: remote && kind === "tool" ? "PATCH" : "POST",
      path: remote ? `${PATHS[kind]}/${encodeURIComponent(remote.id)}` : String(PATHS[kind]),
      body: sent,
      about: kind === name ? kind : `${kind} "${name}"`,
      answer: shapeOf(kind, remote?.id),
    } as const;
    const answer = remote ? await client.send(request) : await sendCreation(client, request);
    if (kind === "tool") return asTool(name, answer);
    return await asAssistant(client, answer, tools);
  },
  remove: async (client, { kind, id }) => {
    const path = `${PATHS[kind]}/${encodeURIComponent(id)}`;
    await sendDeletion(client, { method: "DELETE", path, about: `${kind} ${id}`, answer: NOTHING }, () =>
      get(client, kind, id),
    );
  },
  list: async (client, kind) =>
    (await listTelnyx(client, kind)).map((item) => ({
      id: String(item.id),
      name: String(item.display_name ?? item.name ?? ""),
    })),
  find: async (client, id) => {
    const [assistant] = await read(client, { assistant: id });
    if (!assistant) {
      throw new DeployError(`Cannot read ${id}: the organisation has no such assistant`, {
        code: "platform-missing",
        hint: "Check the id, and the key of the environment",
      });
    }
    const tools = await readTools(
      client,
      Object.fromEntries(sharedIds(assistant).map((each) => [`tool:${each}`, each])),
    );
    const found = [...tools, assistant];
    const ids = Object.fromEntries(found.map((each) => [addressOf(each), each.id]));
    const document = joinTelnyx(found.map((each) => ({ ...each, body: unlinkIds(each.body, ids) })));
    // names come from the document
    return Object.fromEntries(
      splitTelnyx(document).flatMap((each) => (each.id === undefined ? [] : [[addressOf(each), each.id] as const])),
    );
  },
  workspaceOf: async () => undefined, // Telnyx's answers do not contain the organisation
  numbers: {
    list: async () => [],
    point: async (_client, { number }) => {
      throw new DeployError(
        `Cannot point ${number} to an assistant: Telnyx has numbers on applications, not on assistants`,
        {
          code: "not-deployable",
          hint: "Assign the number in the portal, under the assistant's calling settings",
        },
      );
    },
  },
};

/** Reads the tools, then the assistant. */
async function read(client: PlatformClient, ids: ResourceIds): Promise<readonly RemoteResource[]> {
  const tools = await readTools(client, ids);
  const answer = ids.assistant === undefined ? undefined : await get(client, "assistant", ids.assistant);
  if (!answer) return tools;
  const { latest } = await versionsOf(client, answer, (each) => asAssistant(client, each, tools));
  return [...tools, latest];
}

/** The request for a version that calls do not use yet. It has what differs from the newest version and from the main one. */
async function asDraft(
  client: PlatformClient,
  id: string,
  {
    changed,
    body,
    tools,
  }: { readonly changed: JsonObject; readonly body: JsonObject; readonly tools: readonly RemoteResource[] },
): Promise<JsonObject> {
  const answer = await get(client, "assistant", id);
  if (!answer) return changed;
  const main = await asAssistant(client, answer, tools);
  const name = main.version === undefined ? {} : { version_name: draftName(String(main.version)) };
  return { ...changed, ...changedKeys(main.body, body), ...name, promote_to_main: false };
}

async function readTools(client: PlatformClient, ids: ResourceIds): Promise<readonly RemoteResource[]> {
  const tools: RemoteResource[] = [];
  for (const [address, id] of Object.entries(ids)) {
    const [kind = "", name = kind] = address.split(/:(.*)/s);
    const answer = kind === "tool" ? await get(client, "tool", id) : undefined;
    if (answer) tools.push(asTool(name, answer));
  }
  return tools;
}

function asTool(name: string, answer: JsonObject): RemoteResource {
  const changed = dateOf(answer.updated_at);
  return {
    ...{ kind: "tool", name, id: String(answer.id), body: omit(answer, TOOL_SERVER_KEYS) },
    ...(changed === undefined ? {} : { changed }),
  };
}

/** An assistant. Its answer has the shared tools themselves, without their ids, which the tools that are known have. */
async function asAssistant(
  client: PlatformClient,
  answer: JsonObject,
  tools: readonly RemoteResource[],
): Promise<RemoteResource> {
  const shared = records(answer.tools).filter((tool) => tool.shared === true);
  const isListed = isTexts(answer.tool_ids) && answer.tool_ids.length === shared.length;
  const ids = isListed ? answer.tool_ids : await idsOf(client, shared, tools);
  const changed = dateOf(answer.version_created_at);
  return {
    ...{
      kind: "assistant",
      name: "assistant",
      id: String(answer.id),
      body: withoutResolved(answer, isTexts(ids) ? ids : []),
    },
    ...(isText(answer.version_id) ? { version: answer.version_id } : {}),
    ...(changed === undefined ? {} : { changed }),
  };
}

async function idsOf(client: PlatformClient, shared: readonly JsonObject[], tools: readonly RemoteResource[]) {
  const isSame = (tool: JsonObject) => (other: JsonObject) => {
    const type = String(tool.type);
    return other.type === type && sameJson(other[type], tool[type]);
  };
  const known = shared.map((tool) => tools.find(({ body }) => isSame(tool)(body))?.id);
  if (known.every((id) => id !== undefined)) return known;
  const all = await listTelnyx(client, "tool");
  return shared.flatMap((tool, index) => {
    const id = known[index] ?? all.find(isSame(tool))?.id;
    return isText(id) ? [id] : [];
  });
}

const dateOf = (value: unknown) =>
  isText(value) && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined;

/** Shape of a resource in answers: the one that was asked for, if its id is known. */
function shapeOf(kind: string, id?: string) {
  return v.pipe(
    v.looseObject({ ...SHAPES[kind], id: ID }),
    v.check((answer) => id === undefined || answer.id === id, `is about another ${kind}`),
  );
}

/** Reads a resource; `undefined` if it does not exist. */
function get(client: PlatformClient, kind: string, id: string): Promise<JsonObject | undefined> {
  const path = `${PATHS[kind]}/${encodeURIComponent(id)}`;
  return sendIfPresent(client, { method: "GET", path, about: `${kind} ${id}`, answer: shapeOf(kind, id) });
}

/** Reads all resources of a kind, page by page if there are several. */
async function listTelnyx(client: PlatformClient, kind: string): Promise<readonly JsonObject[]> {
  let number = 1;
  const requestOf = () =>
    ({
      method: "GET",
      path: String(PATHS[kind]),
      query: { "page[number]": number, "page[size]": PAGE },
      about: `the list of ${kind}s`,
      answer: v.looseObject({
        data: v.array(v.looseObject({ id: ID, name: TEXT, display_name: TEXT })),
        meta: v.nullish(v.looseObject({ total_pages: v.nullish(v.number()) })),
      }),
    }) satisfies PlatformRequest;
  const found: JsonObject[] = [];
  const pages = readListPages(client, {
    first: requestOf(),
    itemsOf: ({ data }) => data,
    idOf: ({ id }) => id,
    next: ({ meta }) => {
      number++;
      return number <= (meta?.total_pages ?? 1) ? requestOf() : undefined;
    },
  });
  for await (const { items } of pages) found.push(...items);
  return found;
}
