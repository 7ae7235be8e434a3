import { VAPI_SERVER_KEYS } from "../../../platforms/mod.ts";
import { isRecord, type JsonObject, omit } from "../../values/mod.ts";
import type { PlatformClient } from "../http/mod.ts";
import type { RemoteResource } from "../resources/mod.ts";
import { sendIfPresent } from "./requests.ts";

const PAGE = 1000;

/** Reads a resource; `undefined` if it does not exist. */
export function getVapi(client: PlatformClient, kind: string, id: string): Promise<JsonObject | undefined> {
  const path = `/${kind}/${encodeURIComponent(id)}`;
  return sendIfPresent(client, { method: "GET", path, about: `${kind.replaceAll("-", " ")} ${id}` });
}

/** Reads all resources of a kind. Vapi has no paging: each request asks for those as old as the last one, or older. */
export async function listVapi(client: PlatformClient, kind: string): Promise<readonly JsonObject[]> {
  const found = new Map<unknown, JsonObject>();
  let before: string | undefined;
  for (;;) {
    const query = { limit: PAGE, createdAtLe: before };
    const answer = await client.send({ method: "GET", path: `/${kind}`, query, about: `the list of ${kind}s` });
    const page = Array.isArray(answer) ? answer.filter(isRecord) : [];
    const count = found.size;
    for (const item of page) found.set(item.id, item);
    const last = page.at(-1)?.createdAt;
    if (found.size === count || typeof last !== "string") return [...found.values()];
    before = last;
  }
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
