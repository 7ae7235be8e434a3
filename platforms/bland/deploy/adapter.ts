import * as v from "valibot";
import { DeployError } from "../../../src/base/errors.ts";
import { ID, type PlatformClient } from "../../../src/base/http/mod.ts";
import { isRecord, type JsonObject, pick, recordAt, records, sameJson, shown } from "../../../src/base/values/mod.ts";
import type { Adapter, DeployEnvironment, RemoteResource, Resource } from "../../deploying/mod.ts";
import { detectPathway, isGlobalEntry, recordIn, rootOf } from "../pathway/mod.ts";
import { askBland, askForList, askForObject, pathwayPath } from "./requests.ts";

const KIND = "pathway";
/** The keys of a pathway that the API takes. */
const KEYS = ["name", "description", "nodes", "edges"];
/** The version that answers calls. */
const LIVE = "0";
/** Where Bland publishes a version. */
const PRODUCTION = "production";
const STAGING = "staging";
const NAME = v.nullish(v.string());
/** A version of a pathway, without its content. */
const VERSION = v.looseObject({ id: v.union([v.number(), ID]), version_number: v.pipe(v.number(), v.integer()) });

/**
 * Bland: one pathway, which has its nodes and tools inside. Nothing is merged: a change writes all nodes and edges. Calls
 * use the published version.
 *
 * @see https://docs.bland.ai/api-v1/post/pathway
 */
export const blandAdapter: Adapter = {
  name: "bland",
  title: "Bland",
  kinds: [KIND],
  engines: { bland: "a pathway" },
  hasPart: (_, address) => address === KIND,
  answersCalls: () => true,
  open: (document) => {
    const root = detectPathway(document) > 0 ? rootOf(document) : undefined;
    if (root) return recordIn(document, root);
    throw new DeployError("Cannot deploy to Bland: the document is no pathway", {
      code: "not-deployable",
      hint: "Deploy a flow from code, or a pathway's export",
    });
  },
  split: (document): readonly Resource[] => [{ kind: KIND, name: KIND, body: bodyOf(blandAdapter.open(document)) }],
  join: ([pathway]) => pathway?.body ?? {},
  read: async (client, ids) => {
    const { [KIND]: id } = ids;
    const found = id === undefined ? undefined : await readPathway(client, id);
    return found ? [found] : [];
  },
  write: async (client, { body }, { remote }) => {
    const id = remote?.id ?? (await createShell(client, body));
    const about = `pathway ${id}`;
    // keys that a change leaves out stay as they are
    const removed = remote && Object.hasOwn(remote.body, "description") ? { description: "" } : {};
    const changes = { ...removed, ...body };
    const request = { method: "POST", path: pathwayPath(id), body: changes, about, isRepeatable: true } as const;
    await askForObject(client, request);
    const now = await readPathway(client, id);
    if (now) return now;
    throw new DeployError(`${about}: Bland answers that it is written, and it is not there`, {
      code: "platform-answer",
      hint: "Look for it in the dashboard, then apply again",
    });
  },
  // a new pathway is an empty shell until its nodes are written
  isEmpty: (found) => records(found.nodes).length === 0 && found.name === shellOf(found).name,
  isBegun: (found, wanted) => records(found.nodes).length === 0 && found.name === shellOf(wanted).name,
  publish: async (client, [written]) => {
    if (!written) return;
    const { id, body } = written;
    const about = await publishTo(PRODUCTION, client, written);
    const live = await askForObject(client, { path: pathwayPath(id, "version", LIVE), about });
    if (sameContent(bodyOf(live), body)) return;
    throw new DeployError(`${about}: Bland answers that it is done, and another version answers calls`, {
      code: "platform-refused",
      hint: "Publish the version in the dashboard",
    });
  },
  remove: async (client, { id }) => {
    const about = `pathway ${id}`;
    const request = { method: "POST", path: "/v1/pathway/delete", body: { pathway_id: id }, about } as const;
    const gone = await askBland(client, { ...request, isRepeatable: true });
    if (Array.isArray(gone)) throw client.unusable({ ...request, answer: v.unknown() }, "is a list");
    if (await readPathway(client, id))
      throw new DeployError(`${about}: Bland answers that it is deleted, and it is still there`, {
        code: "platform-answer",
        hint: "Delete it in the dashboard",
      });
  },
  list: async (client) => {
    const request = { path: "/v1/all_pathway", about: "the list of pathways" };
    // folders are in the list, too
    const isFolder = (each: JsonObject) => (each.pathway_id ?? null) === null && v.is(ID, each.folder_id);
    const isItem = (each: JsonObject) => (isFolder(each) || idOf(each) !== undefined) && v.is(NAME, each.name);
    const all = await askForList(client, request, "pathways", isItem);
    return all.flatMap((each) => {
      const id = isFolder(each) ? undefined : idOf(each);
      return id === undefined ? [] : [{ id, name: String(each.name ?? "") }];
    });
  },
  find: async (client, id) => {
    if (await readPathway(client, id)) return { [KIND]: id };
    throw new DeployError(`Cannot read ${id}: the organization has no such pathway`, {
      code: "platform-missing",
      hint: "Check the id, and the key of the environment",
    });
  },
  workspaceOf: async () => undefined, // answers do not contain the organization
  numbers: {
    list: async () => {
      throw noNumbers();
    },
    point: async () => {
      throw noNumbers();
    },
  },
};

/** The adapter for an environment, whose `publishTo` says where Bland publishes a version. Default: production. */
export function blandAdapterIn({ settings }: Pick<DeployEnvironment, "settings"> = { settings: {} }): Adapter {
  const { publishTo: where = PRODUCTION } = settings;
  if (where === PRODUCTION) return blandAdapter;
  if (where !== STAGING)
    throw new DeployError(`Cannot deploy to Bland: "publishTo" of the environment is ${shown(where)}`, {
      code: "invalid-option",
      path: ["settings", "bland", "publishTo"],
      hint: `Write bland: { publishTo: "${STAGING}" }, or "${PRODUCTION}"`,
    });
  return {
    ...blandAdapter,
    // the answer alone says so: version 0 is that of production
    publish: async (client, [written]) => void (written && (await publishTo(STAGING, client, written))),
  };
}

/** Publishes the version with this content, which is written if there is none. Returns what errors call it. */
async function publishTo(environment: string, client: PlatformClient, { id, body }: RemoteResource): Promise<string> {
  const { id: version } = await versionWith(client, id, body);
  const about = `publishing pathway ${id}`;
  const order = { version_id: version, environment };
  const path = pathwayPath(id, "publish");
  await askForObject(client, { method: "POST", path, body: order, about, isRepeatable: true });
  return about;
}

function noNumbers(): DeployError {
  return new DeployError("Cannot point a number to a pathway: Callweave does not read Bland's numbers", {
    code: "not-deployable",
    path: ["settings", "numbers"],
    hint: "Set the pathway of the number in the dashboard",
  });
}

/** What the API takes of a pathway. The prompt of the whole pathway is an entry of its nodes. */
function bodyOf(document: JsonObject): JsonObject {
  const { globalPrompt: prompt } = document;
  const nodes: readonly unknown[] = Array.isArray(document.nodes) ? document.nodes : [];
  const isBeside = typeof prompt === "string" && prompt !== "" && !nodes.some(isGlobalEntry);
  const entry = { globalConfig: { globalPrompt: prompt }, position: { x: 0, y: 0 } };
  const isGiven = ([key, value]: readonly [string, unknown]) =>
    value !== null && value !== undefined && (key !== "description" || value !== "");
  const given = Object.entries(pick(document, KEYS)).filter(isGiven);
  return { ...Object.fromEntries(given), nodes: isBeside ? [...nodes, entry] : nodes, edges: document.edges ?? [] };
}

/** The id of a pathway in an answer. */
const idOf = ({ pathway_id, id }: JsonObject): string | undefined =>
  [pathway_id ?? id].find((each): each is string => v.is(ID, each));

/** Reads a pathway as it is edited; `undefined` if it does not exist. */
async function readPathway(client: PlatformClient, id: string): Promise<RemoteResource | undefined> {
  const request = { path: pathwayPath(id), about: `pathway ${id}` };
  const answer = await askBland(client, request);
  if (answer === undefined) return undefined;
  const found = isRecord(answer) && isRecord(answer.pathway_data) ? answer.pathway_data : answer;
  if (isRecord(found) && Array.isArray(found.nodes) && (found.pathway_id ?? found.id ?? id) === id)
    return { kind: KIND, name: KIND, id, body: bodyOf(found) };
  throw new DeployError(`${request.about}: Bland answers with something else than this pathway`, {
    code: "platform-answer",
    hint: "Try again; if it stays, look at the pathway in the dashboard",
  });
}

/** What a pathway is created with. */
function shellOf({ name = "Pathway", description }: JsonObject): JsonObject {
  return { name, ...(description === undefined ? {} : { description }) };
}

/** Creates a pathway, which is empty: nodes and edges need a request of their own. */
async function createShell(client: PlatformClient, pathway: JsonObject): Promise<string> {
  const body = shellOf(pathway);
  const request = { method: "POST", path: "/v1/pathway/create", body, about: "a new pathway" } as const;
  const answer = await askForObject(client, request);
  const id = idOf(answer);
  if (id !== undefined) return id;
  throw new DeployError("a new pathway: Bland's answer has no id of it", {
    code: "platform-answer",
    hint: "Look for it in the dashboard, then apply again",
  });
}

/** The latest version, if it has this content; else a new one. */
async function versionWith(client: PlatformClient, id: string, body: JsonObject): Promise<{ readonly id: unknown }> {
  const about = `the versions of pathway ${id}`;
  const isItem = (each: JsonObject) => v.is(VERSION, each);
  const all = await askForList(client, { path: pathwayPath(id, "versions"), about }, "versions", isItem);
  const numbers = all.map(({ version_number: number }) => Number(number));
  const latest = all.find(({ version_number: number }) => Number(number) === Math.max(...numbers));
  if (latest) {
    const path = pathwayPath(id, "version", String(latest.version_number));
    const there = await askForObject(client, { path, about });
    if (sameContent(bodyOf(there), body)) return { id: latest.id };
  }
  const content = { name: body.name ?? "Pathway", nodes: body.nodes, edges: body.edges };
  const request = { method: "POST", path: pathwayPath(id, "version"), body: content, about } as const;
  const made = await askForObject(client, request);
  const version = [made, recordAt(made, "version")].find((each) => v.is(VERSION, each));
  if (version) return { id: version.id };
  throw client.unusable({ ...request, answer: VERSION }, "names no version");
}

function sameContent(one: JsonObject, other: JsonObject): boolean {
  return sameJson([one.nodes, one.edges], [other.nodes, other.edges]);
}
