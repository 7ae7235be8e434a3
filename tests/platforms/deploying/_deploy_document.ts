import {
  type Adapter,
  addressOf,
  linkIds,
  type RemoteResource,
  type ResourceIds,
  unlinkIds,
} from "../../../platforms/deploying/mod.ts";
import { retellAdapter } from "../../../platforms/retell/deploy/mod.ts";
import { LocalRetell } from "../../../platforms/retell/local/mod.ts";
import { fetchLocally, type LocalOptions, type LocalPlatform } from "../../../platforms/serving/mod.ts";
import { telnyxAdapter } from "../../../platforms/telnyx/deploy/mod.ts";
import { LocalTelnyx } from "../../../platforms/telnyx/local/mod.ts";
import { vapi } from "../../../platforms/vapi/deploy/mod.ts";
import { LocalVapi } from "../../../platforms/vapi/local/mod.ts";
import { createPlatformClient, type PlatformClient } from "../../../src/base/http/mod.ts";
import { TEST_CONNECTION } from "../../base/http/connection.ts";
import { seeded } from "../mutate.ts";

/** A platform, empty but for what it is given, with a client for its one workspace. */
export interface Local {
  readonly adapter: Adapter;
  readonly platform: LocalPlatform;
  readonly client: PlatformClient;
}

const PLATFORMS = {
  retell: { adapter: retellAdapter, start: (options: LocalOptions) => new LocalRetell(options) },
  telnyx: { adapter: telnyxAdapter, start: (options: LocalOptions) => new LocalTelnyx(options) },
  vapi: { adapter: vapi, start: (options: LocalOptions) => new LocalVapi(options) },
};

/** Starts an empty platform in this process. */
export function startLocal(name: keyof typeof PLATFORMS, options: Partial<LocalOptions> = {}): Local {
  const settings = { keys: { "key-of-tests": "workspace-1" }, random: seeded(1), ...options };
  const { adapter, start } = PLATFORMS[name];
  const platform = start(settings);
  return { adapter, platform, client: clientOf(platform, "key-of-tests") };
}

export function clientOf(platform: LocalPlatform, key: string): PlatformClient {
  return createPlatformClient({ ...TEST_CONNECTION, baseUrl: "http://localhost", key, fetch: fetchLocally(platform) });
}

/** Creates all resources of a document, in order. */
export async function createAll({ adapter, client }: Local, document: unknown): Promise<ResourceIds> {
  const written = new Map<string, RemoteResource>();
  let ids: ResourceIds = {};
  for (const resource of adapter.split(document)) {
    const now = await adapter.write(client, { ...resource, body: linkIds(resource.body, ids) }, { written });
    written.set(addressOf(resource), now);
    ids = { ...ids, [addressOf(resource)]: now.id };
  }
  return ids;
}

/** Reads resources as one document, with their ids in it. */
export async function readBack({ adapter, client }: Local, ids: ResourceIds): Promise<unknown> {
  const found = await adapter.read(client, ids);
  return linkIds(adapter.join(found.map((each) => ({ ...each, body: unlinkIds(each.body, ids) }))), ids);
}
