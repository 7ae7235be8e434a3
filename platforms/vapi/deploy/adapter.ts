import { DeployError } from "../../../src/base/errors.ts";
import type { PlatformClient } from "../../../src/base/http/mod.ts";
import { isRecord, type JsonObject, omit, records } from "../../../src/base/values/mod.ts";
import {
  type Adapter,
  addressOf,
  changedKeys,
  type RemoteResource,
  sendCreation,
  sendDeletion,
  unlinkIds,
} from "../../deploying/mod.ts";
import { joinVapi, openVapi, splitVapi } from "./document.ts";
import { vapiNumbers } from "./numbers.ts";
import { asVapi, getVapi, listVapi, vapiShape, workspaceOf } from "./requests.ts";

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
