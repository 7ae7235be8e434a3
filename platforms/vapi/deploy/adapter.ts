import * as v from "valibot";
import { DeployError } from "../../../src/base/errors.ts";
import { ID, type PlatformClient, type PlatformRequest, readListPages } from "../../../src/base/http/mod.ts";
import { isRecord, type JsonObject, Names, omit, recordAt, records, sameJson } from "../../../src/base/values/mod.ts";
import {
  type Adapter,
  addressOf,
  changedKeys,
  type NumberTarget,
  type PhoneNumber,
  type PhoneNumbers,
  type RemoteResource,
  type Resource,
  referencedAddress,
  referenceTo,
  sendCreation,
  sendDeletion,
  sendIfPresent,
  unlinkIds,
} from "../../deploying/mod.ts";
import { openAssistant, openMembers } from "../shared/mod.ts";
import { VAPI_SERVER_KEYS } from "../traits/mod.ts";

const TEXT = v.nullish(v.string());

const DATE = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text)), "is not a date"),
);

/** The keys of every resource; see the vendor's published responses. */
const COMMON = { id: ID, orgId: ID, createdAt: DATE, updatedAt: DATE, name: TEXT, latestVersion: TEXT };

/** Further keys that are read, by kind of resource. */
const SHAPES: { readonly [kind: string]: v.ObjectEntries } = {
  tool: { type: v.string() },
  assistant: { model: v.nullish(v.looseObject({ toolIds: v.nullish(v.array(v.string())) })) },
  squad: { members: v.array(v.looseObject({ assistantId: TEXT, assistant: v.nullish(v.looseObject({})) })) },
  "phone-number": { number: TEXT, sipUri: TEXT, assistantId: v.nullish(ID), squadId: v.nullish(ID) },
};

const TARGETS = [
  { kind: "squad", key: "squadId" },
  { kind: "assistant", key: "assistantId" },
] as const;

const PAGE = 1000;

/** Phone numbers of Vapi: one assistant or one squad. */
const vapiNumbers: PhoneNumbers = {
  list: async (client) => (await listVapi(client, "phone-number")).map(asNumber),
  point: async (client, { id, number }, target) => {
    // if both are set, the platform uses only one of them
    const body = Object.fromEntries(TARGETS.map(({ kind, key }) => [key, kind === target.kind ? target.id : null]));
    const path = `/phone-number/${encodeURIComponent(id)}`;
    const answer = vapiShape("phone-number", id);
    const request = { method: "PATCH", path, body, about: `phone number ${number}`, answer } as const;
    const now = asNumber(await client.send(request));
    if (now.targets.length === 1 && now.targets[0]?.id === target.id) return now;
    throw client.unusable(request, `does not name ${target.kind} ${target.id} alone`);
  },
};

/** Resources that members and assistants share by id, without duplicates. */
class Found {
  readonly resources: Resource[] = [];
  /** A kind's own name is reserved: it is the address of a single assistant or squad. */
  readonly #names = { assistant: new Names(["assistant"], { joint: "#" }), tool: new Names(["tool"], { joint: "#" }) };

  /** @returns The resource's address. */
  add(kind: "assistant" | "tool", name: string, document: JsonObject): string {
    const shared = this.resources.find(
      (each) => each.kind === kind && each.id !== undefined && each.id === document.id,
    );
    if (!shared) {
      const added = resourceOf(kind, this.#names[kind].take(name), document);
      // resources are written before those that reference them
      this.resources.splice(kind === "tool" ? this.#toolCount() : this.resources.length, 0, added);
      return addressOf(added);
    }
    if (sameJson(shared.body, resourceOf(kind, name, document).body)) return addressOf(shared);
    throw new DeployError(`Cannot deploy to Vapi: the ${kind} "${shared.name}" is used twice, and the two differ`, {
      code: "not-deployable",
      path: [addressOf(shared)],
      hint: `Make the same change in both places, or remove the id of one of them to give it a ${kind} of its own`,
    });
  }

  /** An assistant with references to the tools that have an id of their own. */
  withTools(assistant: JsonObject): JsonObject {
    const model = recordAt(assistant, "model");
    const tools = records(model.tools);
    const saved = tools.filter(({ id }) => typeof id === "string");
    if (saved.length === 0) return assistant;
    const references = saved.map((tool) => referenceTo(this.add("tool", toolName(tool), tool)));
    const inline = tools.filter(({ id }) => typeof id !== "string");
    const own = Array.isArray(model.toolIds) ? model.toolIds : [];
    const rest = inline.length > 0 ? { tools: inline } : {};
    return { ...assistant, model: { ...omit(model, ["tools"]), ...rest, toolIds: [...own, ...references] } };
  }

  #toolCount(): number {
    return this.resources.filter(({ kind }) => kind === "tool").length;
  }
}

/** Vapi: tools, assistants, and the squad that hands a call over between assistants. */
export const vapi: Adapter = {
  name: "vapi",
  title: "Vapi",
  kinds: ["tool", "assistant", "squad"],
  engines: { "vapi-squad": "a squad", "vapi-assistant": "a single assistant" },
  answersCalls: () => true,
  // a single assistant has the kind's own name
  hasPart: (format, address) =>
    address.startsWith("tool") || (address === "assistant") === (format === "vapi-assistant"),
  open: openVapi,
  split: splitVapi,
  join: joinVapi,
  read: async (client, ids) => {
    const found: RemoteResource[] = [];
    for (const [address, id] of Object.entries(ids)) {
      const [kind = "", name = kind] = address.split(/:(.*)/s);
      const answer = await getVapi(client, kind, id);
      if (answer) found.push(asVapi(kind, name, answer));
    }
    return found;
  },
  write: async (client, { kind, name, body }, { remote }) => {
    const sent = remote ? changesOf(remote, body) : body;
    if (remote && Object.keys(sent).length === 0) return remote;
    const request = {
      method: remote ? "PATCH" : "POST",
      path: remote ? `/${kind}/${encodeURIComponent(remote.id)}` : `/${kind}`,
      body: sent,
      about: kind === name ? kind : `${kind} "${name}"`,
      answer: vapiShape(kind, remote?.id),
    } as const;
    return asVapi(kind, name, remote ? await client.send(request) : await sendCreation(client, request));
  },
  remove: async (client, { kind, id }) => {
    const path = `/${kind}/${encodeURIComponent(id)}`;
    const request = { method: "DELETE", path, about: `${kind} ${id}`, answer: vapiShape(kind, id) } as const;
    await sendDeletion(client, request, () => getVapi(client, kind, id));
  },
  list: async (client, kind) => (await listVapi(client, kind)).map(({ id, name }) => ({ id, name: name ?? "" })),
  find: async (client, id) => {
    const found = await findAll(client, id);
    if (found.length === 0) {
      throw new DeployError(`Cannot read ${id}: the workspace has no such squad or assistant`, {
        code: "platform-missing",
        hint: "Check the id, and the key of the environment",
      });
    }
    const ids = Object.fromEntries(found.map((each) => [addressOf(each), each.id]));
    const document = joinVapi(found.map((each) => ({ ...each, body: unlinkIds(each.body, ids) })));
    // names come from the document
    return Object.fromEntries(
      splitVapi(document).flatMap((each) => (each.id === undefined ? [] : [[addressOf(each), each.id] as const])),
    );
  },
  workspaceOf,
  numbers: vapiNumbers,
};

/** The body of a `PATCH`: it must contain all members of a squad, and must not contain the type of a tool. */
function changesOf({ kind, body: before }: RemoteResource, after: JsonObject): JsonObject {
  const changes = changedKeys(before, after);
  if (kind === "tool") return omit(changes, ["type"]);
  return kind === "squad" && Object.keys(changes).length > 0 ? { members: after.members, ...changes } : changes;
}

/** Reads a squad or an assistant, with the saved assistants of its members and the tools that these reference. */
async function findAll(client: PlatformClient, id: string): Promise<readonly RemoteResource[]> {
  const squad = await getVapi(client, "squad", id);
  const names = squad ? records(squad.members).map(({ assistantId }) => assistantId) : [id];
  const assistants = await readAll(client, "assistant", names, squad === undefined);
  const toolIds = assistants.flatMap(({ body: { model } }): readonly unknown[] =>
    isRecord(model) && Array.isArray(model.toolIds) ? model.toolIds : [],
  );
  const tools = await readAll(client, "tool", toolIds, false);
  return [...tools, ...assistants, ...(squad ? [asVapi("squad", "squad", squad)] : [])];
}

async function readAll(
  client: PlatformClient,
  kind: string,
  ids: readonly unknown[],
  isRoot: boolean,
): Promise<readonly RemoteResource[]> {
  const found: RemoteResource[] = [];
  for (const id of new Set(ids.filter((each) => typeof each === "string"))) {
    const answer = await getVapi(client, kind, id);
    if (answer) found.push(asVapi(kind, isRoot ? kind : id, answer));
  }
  return found;
}

function asNumber(answer: JsonObject): PhoneNumber {
  const targets = TARGETS.flatMap(({ kind, key }): readonly NumberTarget[] => {
    const id = answer[key];
    return typeof id === "string" ? [{ kind, id }] : [];
  });
  const id = String(answer.id);
  return { id, number: String(answer.number ?? answer.sipUri ?? id), targets };
}

/** A squad with the assistants of its members, or an assistant. */
function openVapi(document: unknown): JsonObject {
  if (isRecord(document) && Array.isArray(document.nodes)) {
    throw new DeployError("Cannot deploy to Vapi: the document is a workflow, and Vapi no longer runs workflows", {
      code: "not-deployable",
      hint: "Deploy it as vapi-squad",
    });
  }
  const found = squadIn(document) ?? openAssistant(document)?.document;
  if (found) return found;
  throw new DeployError("Cannot deploy to Vapi: the document has no squad and no assistant", {
    code: "not-deployable",
    hint: "Deploy a flow from code, or the JSON of a squad or an assistant",
  });
}

/** Splits a document: the tools that have an id, assistants, the squad. */
function splitVapi(document: unknown): readonly Resource[] {
  const whole = openVapi(document);
  const found = new Found();
  if (!Array.isArray(whole.members)) {
    const main = found.withTools(whole);
    return [...found.resources, resourceOf("assistant", "assistant", main)];
  }
  const members = whole.members.filter(isRecord).map(({ assistant, ...member }, index) => {
    if (!isRecord(assistant)) return member;
    const name = typeof assistant.name === "string" ? assistant.name : `member-${index + 1}`;
    return { ...member, assistantId: referenceTo(found.add("assistant", name, found.withTools(assistant))) };
  });
  return [...found.resources, resourceOf("squad", "squad", { ...whole, members })];
}

/** Joins resources: assistants into the members that reference them, tools into the assistants that reference them. */
function joinVapi(resources: readonly Resource[]): unknown {
  const byAddress = new Map(resources.map((each) => [addressOf(each), each]));
  const squad = resources.find(({ kind }) => kind === "squad");
  const whole = (resource: Resource) => withTools(withId(resource), byAddress);
  if (!squad) return resources.filter(({ kind }) => kind === "assistant").map(whole)[0];
  return {
    ...withId(squad),
    members: records(squad.body.members).map(({ assistantId, ...member }) => {
      const assistant = byAddress.get(referencedAddress(assistantId) ?? "");
      if (assistant) return { assistant: whole(assistant), ...member };
      return { ...member, ...(assistantId === undefined ? {} : { assistantId }) };
    }),
  };
}

/** An assistant with its referenced tools inlined; ids of other tools stay. */
function withTools(assistant: JsonObject, byAddress: ReadonlyMap<string, Resource>): JsonObject {
  const model = recordAt(assistant, "model");
  const ids: readonly unknown[] = Array.isArray(model.toolIds) ? model.toolIds : [];
  const toolOf = (id: unknown) => byAddress.get(referencedAddress(id) ?? "");
  const tools = ids.flatMap((id) => {
    const tool = toolOf(id);
    return tool ? [{ ...tool.body, id: tool.id ?? id }] : [];
  });
  if (tools.length === 0) return assistant;
  const left = ids.filter((id) => !toolOf(id));
  const rest = left.length > 0 ? { toolIds: left } : {};
  return { ...assistant, model: { ...omit(model, ["toolIds"]), tools: [...records(model.tools), ...tools], ...rest } };
}

function toolName(tool: JsonObject): string {
  const { name } = recordAt(tool, "function");
  return String(name ?? tool.name ?? tool.type ?? "");
}

function withId({ id, body }: Resource): JsonObject {
  return { ...body, ...(id === undefined ? {} : { id }) };
}

function resourceOf(kind: string, name: string, { id, ...body }: JsonObject): Resource {
  const isId = typeof id === "string" && referencedAddress(id) === undefined;
  return { kind, name, ...(isId ? { id } : {}), body: omit(body, VAPI_SERVER_KEYS) };
}

/** The squad in a document, without an envelope. Assistants beside a squad are in its members. */
function squadIn(document: unknown): JsonObject | undefined {
  const opened = openMembers(document);
  return opened && { ...opened.squad, members: opened.homes };
}

/** Shape of a resource in answers: the one that was asked for, if its id is known. */
function vapiShape(kind: string, id?: string) {
  return v.pipe(
    v.looseObject({ ...SHAPES[kind], ...COMMON }),
    v.check((answer) => id === undefined || answer.id === id, `is about another ${words(kind)}`),
  );
}

/** Reads a resource; `undefined` if it does not exist. */
function getVapi(client: PlatformClient, kind: string, id: string): Promise<JsonObject | undefined> {
  const path = `/${kind}/${encodeURIComponent(id)}`;
  return sendIfPresent(client, { method: "GET", path, about: `${words(kind)} ${id}`, answer: vapiShape(kind, id) });
}

/** Reads all resources of a kind. Vapi has no paging: each request asks for those as old as the last one, or older. */
async function listVapi(client: PlatformClient, kind: string) {
  const requestOf = (before?: string) =>
    ({
      method: "GET",
      path: `/${kind}`,
      query: { limit: PAGE, createdAtLe: before },
      about: `the list of ${words(kind)}s`,
      answer: v.array(vapiShape(kind)),
    }) satisfies PlatformRequest;
  const pages = readListPages(client, {
    first: requestOf(),
    itemsOf: (page) => page,
    idOf: ({ id }) => id,
    next: (page, items) => (items.length === 0 ? undefined : requestOf(page.at(-1)?.createdAt)),
  });
  const found: v.InferInput<ReturnType<typeof vapiShape>>[] = [];
  for await (const { items } of pages) found.push(...items);
  return found;
}

/** The workspace of a key, from the first resource that it can list. */
async function workspaceOf(client: PlatformClient): Promise<string | undefined> {
  for (const kind of ["assistant", "squad", "tool", "phone-number"]) {
    const about = "the workspace of the key";
    const answer = v.array(vapiShape(kind));
    const [first] = await client.send({ method: "GET", path: `/${kind}`, query: { limit: 1 }, about, answer });
    if (first) return first.orgId;
  }
  return undefined;
}

/** A resource from a response. */
function asVapi(kind: string, name: string, answer: JsonObject): RemoteResource {
  const { id, latestVersion, updatedAt } = answer;
  return {
    kind,
    name,
    id: String(id),
    body: omit(answer, VAPI_SERVER_KEYS),
    ...(typeof latestVersion === "string" ? { version: latestVersion } : {}),
    ...(typeof updatedAt === "string" ? { changed: updatedAt } : {}),
  };
}

function words(kind: string): string {
  return kind.replaceAll("-", " ");
}
