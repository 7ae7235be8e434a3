import * as v from "valibot";
import {
  type Adapter,
  changedKeys,
  type RemoteResource,
  sendCreation,
  sendDeletion,
  sendIfPresent,
} from "../../../../platforms/deploying/mod.ts";
import { DeployError } from "../../../../src/base/errors.ts";
import { ID, type PlatformClient } from "../../../../src/base/http/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../../src/base/values/mod.ts";
import { ACME_TRAITS } from "../traits/mod.ts";

const AGENT = v.looseObject({ id: ID, name: v.string() });

function asAgent({ id, ...body }: JsonObject): RemoteResource {
  return { kind: "agent", name: "agent", id: String(id), body: omit(body, [...ACME_TRAITS.serverKeys]) };
}

const get = (client: PlatformClient, id: string) =>
  sendIfPresent(client, {
    method: "GET",
    path: `/agents/${encodeURIComponent(id)}`,
    about: `agent ${id}`,
    answer: AGENT,
  });

/** Acme: one agent, which has its steps and tools inside. */
export const acmeAdapter: Adapter = {
  name: "acme",
  title: "Acme",
  kinds: ["agent"],
  engines: { acme: "an agent" },
  hasPart: () => true,
  answersCalls: () => true,
  open: (document) => {
    if (isRecord(document)) return document;
    throw new DeployError("Cannot deploy: it is no agent", { code: "not-deployable", hint: "Pass an agent" });
  },
  split: (document) => [{ kind: "agent", name: "agent", body: isRecord(document) ? document : {} }],
  join: ([agent]) => agent?.body ?? {},
  read: async (client, ids) => {
    const found = await Promise.all(Object.values(ids).map((id) => get(client, id)));
    return found.flatMap((agent) => (agent ? [asAgent(agent)] : []));
  },
  write: async (client, { body }, { remote }) => {
    const about = "agent";
    if (!remote)
      return asAgent(await sendCreation(client, { method: "POST", path: "/agents", body, about, answer: AGENT }));
    const path = `/agents/${encodeURIComponent(remote.id)}`;
    const changed = changedKeys(remote.body, body);
    return asAgent(await client.send({ method: "PATCH", path, body: changed, about, answer: AGENT }));
  },
  remove: async (client, { id }) => {
    const path = `/agents/${encodeURIComponent(id)}`;
    await sendDeletion(client, { method: "DELETE", path, about: "agent", answer: v.unknown() }, () => get(client, id));
  },
  list: async (client) =>
    await client.send({ method: "GET", path: "/agents", about: "the list of agents", answer: v.array(AGENT) }),
  find: async (client, id) => {
    if (await get(client, id)) return { agent: id };
    throw new DeployError(`Cannot read ${id}: there is no such agent`, {
      code: "platform-missing",
      hint: "Check the id",
    });
  },
  workspaceOf: async () => undefined,
  numbers: { list: async () => [], point: async (_, number) => number },
};
