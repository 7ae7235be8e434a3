import * as v from "valibot";
import { ID, type PlatformClient, type PlatformRequest, readListPages } from "../../../src/base/http/mod.ts";
import { type JsonObject, omit } from "../../../src/base/values/mod.ts";
import { type RemoteResource, sendIfPresent } from "../../deploying/mod.ts";
import { VAPI_SERVER_KEYS } from "../traits/mod.ts";

const PAGE = 1000;
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

/** Shape of a resource in answers: the one that was asked for, if its id is known. */
export function vapiShape(kind: string, id?: string) {
  return v.pipe(
    v.looseObject({ ...SHAPES[kind], ...COMMON }),
    v.check((answer) => id === undefined || answer.id === id, `is about another ${words(kind)}`),
  );
}

/** Reads a resource; `undefined` if it does not exist. */
export function getVapi(client: PlatformClient, kind: string, id: string): Promise<JsonObject | undefined> {
  const path = `/${kind}/${encodeURIComponent(id)}`;
  return sendIfPresent(client, { method: "GET", path, about: `${words(kind)} ${id}`, answer: vapiShape(kind, id) });
}

/** Reads all resources of a kind. Vapi has no paging: each request asks for those as old as the last one, or older. */
export async function listVapi(client: PlatformClient, kind: string) {
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
export async function workspaceOf(client: PlatformClient): Promise<string | undefined> {
  for (const kind of ["assistant", "squad", "tool", "phone-number"]) {
    const about = "the workspace of the key";
    const answer = v.array(vapiShape(kind));
    const [first] = await client.send({ method: "GET", path: `/${kind}`, query: { limit: 1 }, about, answer });
    if (first) return first.orgId;
  }
  return undefined;
}

/** A resource from a response. */
export function asVapi(kind: string, name: string, answer: JsonObject): RemoteResource {
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
