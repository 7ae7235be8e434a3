import { DeployError } from "../../../src/base/errors.ts";
import { NOTHING, type PlatformClient } from "../../../src/base/http/mod.ts";
import { type JsonObject, omit, sameJson } from "../../../src/base/values/mod.ts";
import {
  changedKeys,
  type PlannedRelease,
  type Releases,
  type RemoteResource,
  sendIfPresent,
} from "../../deploying/mod.ts";
import { TELNYX_SERVER_KEYS } from "../traits/mod.ts";
import { type Canary, isShared, type ReleaseSettings, readCanary, writeCanary } from "./canary.ts";
import { type AssistantVersions, assistantPath, draftName, PROMOTED, versionsOf } from "./versions.ts";

/** How the adapter reads and changes assistants. */
export interface AssistantRequests {
  readonly get: (client: PlatformClient, id: string) => Promise<JsonObject | undefined>;
  readonly update: (client: PlatformClient, id: string, body: JsonObject) => Promise<JsonObject>;
  readonly asAssistant: (
    client: PlatformClient,
    answer: JsonObject,
    tools: readonly RemoteResource[],
  ) => Promise<RemoteResource>;
}

/** Versions of an assistant: an apply writes one, a canary gives it a share of the calls, and promoting gives it all. */
export function telnyxReleases(settings: ReleaseSettings, requests: AssistantRequests): Releases {
  return {
    plan: async (client, ids, planned) => {
      const isWriting = planned.some(({ kind, action }) => kind === "assistant" && action !== "none");
      const tools = planned.filter(({ kind, action }) => kind === "tool" && action === "update");
      const notes = tools.map(({ name }): PlannedRelease => {
        const message = `The tool "${name}" changes for all calls at once: shared tools of Telnyx have no versions`;
        return { action: "none", message };
      });
      const answer = ids.assistant === undefined ? undefined : await requests.get(client, ids.assistant);
      if (!answer) return notes;
      const versions = await versionsOf(client, answer, asPlain);
      const canary = versions.count > 1 ? await readCanary(client, String(answer.id)) : undefined;
      return [...notes, ...plannedReleases({ settings, versions, canary, isWriting })];
    },
    apply: async (client, written, { publish }) => {
      const assistant = written.find(({ kind }) => kind === "assistant");
      const answer = assistant && (await requests.get(client, assistant.id));
      if (!answer) return { isPublished: false };
      const tools = written.filter(({ kind }) => kind === "tool");
      const versions = await versionsOf(client, answer, (each) => requests.asAssistant(client, each, tools));
      const isPromoting = publish || settings.isPromoting;
      const latest = await stored(client, versions, { requests, isPromoting, tools });
      if (isPromoting) await promote(client, versions, { requests, latest });
      else await share(client, versions, { latest, weight: settings.weight });
      return {
        ...(latest.version === undefined ? {} : { version: String(latest.version) }),
        isPublished: publish || (isPromoting && !versions.isMain),
      };
    },
  };
}

/** A version to compare with others of the same list. */
async function asPlain(answer: JsonObject): Promise<RemoteResource> {
  const body = omit(answer, [...TELNYX_SERVER_KEYS]);
  return { kind: "assistant", name: "assistant", id: String(answer.id), body, version: String(answer.version_id) };
}

interface Situation {
  readonly settings: ReleaseSettings;
  readonly versions: AssistantVersions;
  readonly canary: Canary | undefined;
  /** Whether applying writes a version. */
  readonly isWriting: boolean;
}

function plannedReleases({ settings, versions, canary, isWriting }: Situation): readonly PlannedRelease[] {
  const { main, latest, isMain, isStored } = versions;
  const target = isWriting ? "the version that is written" : `version ${latest.version}`;
  const ending = canary ? ", and the canary ends" : "";
  const change = (message: string): PlannedRelease => ({ action: "change", message });
  const none = (message: string): PlannedRelease => ({ action: "none", message });
  if (settings.isPromoting) {
    if (isWriting || !isMain) return [change(`All calls get ${target}, which is promoted${ending}`)];
    return canary ? [change(`All calls get version ${main.version}: the canary ends`)] : [];
  }
  const again =
    isStored || isWriting
      ? []
      : [change(`Version ${latest.version} is written again, with what was changed in version ${main.version} since`)];
  const { weight } = settings;
  const differs = isWriting || (!isMain && !sameJson(latest.body, main.body));
  if (weight !== undefined && weight > 0 && differs) {
    const isSo = !isWriting && isStored && isShared(canary, { version: String(latest.version), weight });
    const message = `${weight}% of the calls get ${target} (canary), the others version ${main.version}`;
    return [...again, isSo ? none(message) : change(message)];
  }
  if (weight !== undefined && canary?.share)
    return [...again, change(`All calls get version ${main.version}: the canary ends`)];
  const foreign = canary ? [none("A canary gives calls to other versions than the main one; publishing ends it")] : [];
  const waiting =
    isWriting || !isMain ? [none(`Calls get version ${main.version} until ${target} is published with --publish`)] : [];
  return [...again, ...foreign, ...waiting];
}

/** The newest version; a draft that was behind the main version is written again. */
async function stored(
  client: PlatformClient,
  { main, latest, isStored }: AssistantVersions,
  {
    requests,
    isPromoting,
    tools,
  }: { readonly requests: AssistantRequests; readonly isPromoting: boolean; readonly tools: readonly RemoteResource[] },
): Promise<RemoteResource> {
  if (isStored) return latest;
  const name = isPromoting ? PROMOTED : draftName(String(main.version));
  const body = { ...changedKeys(main.body, latest.body), version_name: name, promote_to_main: isPromoting };
  return await requests.asAssistant(client, await requests.update(client, main.id, body), tools);
}

/** Gives a version all calls, and ends the canary. */
async function promote(
  client: PlatformClient,
  { isMain, isStored, count }: AssistantVersions,
  { requests, latest }: { readonly requests: AssistantRequests; readonly latest: RemoteResource },
): Promise<void> {
  const { id, version } = latest;
  if (isMain) {
    const canary = count > 1 ? await readCanary(client, id) : undefined;
    const path = assistantPath(id, "canary-deploys");
    const about = `the canary of assistant ${id}`;
    if (canary) await client.send({ method: "DELETE", path, about, answer: NOTHING });
    return;
  }
  const about = `promoting version ${version} of assistant ${id}`;
  if (isStored) {
    const path = assistantPath(id, "versions", String(version));
    // its name says that it waits: the main version cannot be renamed
    const body = { version_name: PROMOTED };
    await sendIfPresent(client, { method: "POST", path, body, about, answer: NOTHING });
    await client.send({ method: "POST", path: `${path}/promote`, body: {}, about, answer: NOTHING });
  }
  const now = await requests.get(client, id);
  if (now?.version_id === version) return;
  throw new DeployError(`${about}: Telnyx answers that it is done, and another version is the main one`, {
    code: "platform-refused",
    hint: "Promote the version in the portal",
  });
}

/** Gives a version the share of the calls that the environment names. */
async function share(
  client: PlatformClient,
  { main, isMain, isStored, count }: AssistantVersions,
  { latest, weight }: { readonly latest: RemoteResource; readonly weight: number | undefined },
): Promise<void> {
  if (weight === undefined || (count === 1 && isStored)) return;
  const now = await readCanary(client, latest.id);
  const isNeeded = weight > 0 && !isMain && !sameJson(latest.body, main.body);
  const wanted = isNeeded ? { version: String(latest.version), weight } : undefined;
  if (isShared(now, wanted)) return;
  await writeCanary(client, latest.id, { now, ...(wanted ? { share: wanted } : {}) });
}
