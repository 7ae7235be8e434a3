import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalBland } from "../../platforms/bland/local/mod.ts";
import { LocalElevenLabs } from "../../platforms/elevenlabs/local/mod.ts";
import { LocalRetell } from "../../platforms/retell/local/mod.ts";
import { keyIn, type LocalFault, type LocalPlatform, type LocalRequest } from "../../platforms/serving/mod.ts";
import { LocalTelnyx } from "../../platforms/telnyx/local/mod.ts";
import { LocalVapi } from "../../platforms/vapi/local/mod.ts";
import { createPlatformClient, type PlatformRequest } from "../../src/base/http/mod.ts";
import { isRecord, type JsonObject, recordAt, records } from "../../src/base/values/mod.ts";
import { type DeployFormat, type DeployTarget, listDeployed, type ResourceIds } from "../../src/deploy/mod.ts";
import { ANY, TEST_CONNECTION } from "../base/http/connection.ts";
import { WITHOUT_PAUSES } from "../test_clock.ts";

export const KEY = "key-of-the-test-workspace";

export type To = DeployFormat;

/** The formats of platforms whose agents can change between two. */
export const PAIRS = [
  ["retell", "retell-llm"],
  ["vapi-squad", "vapi-assistant"],
] as const satisfies readonly (readonly To[])[];

/** The formats of each platform. */
export const FORMATS = [...PAIRS, ["bland"], ["elevenlabs"], ["telnyx"]] as const satisfies readonly (readonly To[])[];

/** How a key is sent where it is no bearer token. */
const AUTHENTICATION: { readonly [to: string]: { readonly header: string } | undefined } = {
  bland: { header: "authorization" },
  elevenlabs: { header: "xi-api-key" },
};

/** Where each platform lists its resources: method, path and the key of their ids. */
const LISTS: { readonly [platform: string]: readonly (readonly ["GET" | "POST", path: string, key: string])[] } = {
  bland: [["GET", "/v1/all_pathway", "pathway_id"]],
  elevenlabs: [
    ["GET", "/v1/convai/agents", "agent_id"],
    ["GET", "/v1/convai/tools", "id"],
  ],
  retell: [
    ["POST", "/v2/list-agents", "agent_id"],
    ["GET", "/v2/list-conversation-flows", "conversation_flow_id"],
    ["GET", "/v2/list-retell-llms", "llm_id"],
  ],
  telnyx: [
    ["GET", "/ai/assistants", "id"],
    ["GET", "/ai/tools", "id"],
  ],
  vapi: [
    ["GET", "/assistant", "id"],
    ["GET", "/squad", "id"],
  ],
};

/** A local platform without a server: `fetch` calls it directly. */
export class World implements AsyncDisposable {
  /** The format that the code names now. */
  to: To;
  readonly folder: string;
  readonly requests: string[] = [];
  /** Decides for each request of a deployment whether it fails. */
  fault: (request: LocalRequest) => LocalFault | undefined = () => undefined;
  /** Adds what this server says of resources that nobody has written. */
  added: (answer: unknown) => unknown = (answer) => answer;
  readonly #platform: LocalPlatform;

  private constructor(to: To, folder: string, random: () => number) {
    this.to = to;
    this.folder = folder;
    const options = { keys: { [KEY]: "org-1", "key-of-another-workspace": "org-2" }, random, now: ticking() };
    const platforms = {
      bland: LocalBland,
      elevenlabs: LocalElevenLabs,
      retell: LocalRetell,
      telnyx: LocalTelnyx,
      vapi: LocalVapi,
    };
    const found = Object.entries(platforms).find(([name]) => to.startsWith(name));
    if (!found) throw new TypeError(`there is no local platform for ${to}`);
    this.#platform = new found[1](options);
  }

  static async open(to: To, seed = 1): Promise<World> {
    return new World(to, await mkdtemp(join(tmpdir(), "callweave-test-deploy-")), randomOf(seed));
  }

  get isRetell(): boolean {
    return this.to.startsWith("retell");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  target(environment = "staging"): DeployTarget {
    return {
      to: this.to,
      key: KEY,
      environment,
      folder: this.folder,
      baseUrl: "http://platform.test",
      clock: WITHOUT_PAUSES,
      fetch: this.#fetch((request) => this.fault(request)),
    };
  }

  /** Edits of the dashboard. */
  async send(request: Omit<PlatformRequest, "about" | "answer">): Promise<unknown> {
    const client = createPlatformClient({
      ...TEST_CONNECTION,
      ...(AUTHENTICATION[this.to] ? { authentication: AUTHENTICATION[this.to] } : {}),
      baseUrl: "http://platform.test",
      key: KEY,
      clock: WITHOUT_PAUSES,
      fetch: this.#fetch(() => undefined),
    });
    return await client.send({ ...request, about: "the dashboard", answer: ANY });
  }

  async ids(environment = "staging"): Promise<ResourceIds> {
    return (await listDeployed(this.folder)).find((agent) => agent.environment === environment)?.ids ?? {};
  }

  updatePath(address: string, ids: ResourceIds): string {
    const kind = address.replace(/:.*/, "");
    if (this.to === "telnyx") return `/ai/${kind}s/${ids[address]}`;
    if (this.to === "bland") return `/v1/pathway/${ids[address]}`;
    if (this.to === "elevenlabs") return `/v1/convai/${kind}s/${ids[address]}`;
    return this.isRetell ? `/update-${kind}/${ids[address]}` : `/${kind}/${ids[address]}`;
  }

  /** The method that changes a resource. */
  updateMethod(address: string): "POST" | "PATCH" {
    return this.to === "bland" || (this.to === "telnyx" && address === "assistant") ? "POST" : "PATCH";
  }

  /** Deletes a resource in the dashboard. */
  async delete(address: string, ids: ResourceIds): Promise<void> {
    const path = this.updatePath(address, ids).replace("/update-", "/delete-");
    if (this.to === "bland")
      await this.send({ method: "POST", path: "/v1/pathway/delete", body: { pathway_id: ids[address] } });
    else await this.send({ method: "DELETE", path });
  }

  /** A resource as the platform has it, in its newest version. */
  async read(address: string, ids: ResourceIds): Promise<JsonObject> {
    if (this.to === "telnyx" && address === "assistant") return await this.#newestVersion(ids);
    const path = this.updatePath(address, ids).replace("/update-", "/get-");
    const answer = await this.send({ method: "GET", path });
    return isRecord(answer) ? answer : {};
  }

  async #newestVersion(ids: ResourceIds): Promise<JsonObject> {
    const path = `${this.updatePath("assistant", ids)}/versions`;
    const versions = records(recordAt({ answer: await this.send({ method: "GET", path }) }, "answer").data);
    const created = (version: JsonObject) => Date.parse(String(version.version_created_at));
    return versions.toSorted((one, other) => created(other) - created(one))[0] ?? {};
  }

  /** Another machine has only the lock file. */
  async forget(): Promise<void> {
    await rm(join(this.folder, ".callweave", "deploy"), { recursive: true, force: true });
  }

  /** Ids of all resources of the workspace, except phone numbers. */
  async everything(): Promise<readonly string[]> {
    const lists = Object.entries(LISTS).find(([name]) => this.to.startsWith(name))?.[1] ?? [];
    const found = await Promise.all(
      lists.map(async ([method, path, key]) => {
        const answer = await this.send({ method, path, ...(method === "POST" ? { body: {} } : {}) });
        const own = isRecord(answer) ? [answer.items, answer.data, answer.agents, answer.tools] : [answer];
        const items = own.find(Array.isArray) ?? [];
        return items.filter(isRecord).map((item) => String(item[key]));
      }),
    );
    return found.flat().sort();
  }

  #fetch(faultOf: (request: LocalRequest) => LocalFault | undefined): typeof fetch {
    const answer = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const url = new URL(String(input));
      const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : {};
      const headers = new Headers(init.headers);
      const key = keyIn((name) => headers.get(name), this.#platform);
      const method = init.method ?? "GET";
      const request = {
        method,
        path: decodeURIComponent(url.pathname),
        query: url.searchParams,
        body: isRecord(body) ? body : {},
        key,
      };
      this.requests.push(`${method} ${url.pathname}`);
      const wrong = faultOf(request);
      if (wrong === "cut-before") throw new TypeError("connection reset");
      const answered = typeof wrong === "object" ? wrong : this.#platform.answer(request);
      if (wrong === "cut-after") throw new TypeError("connection reset");
      const { status, headers: more } = answered;
      const text = answered.body === undefined || status === 204 ? null : JSON.stringify(this.added(answered.body));
      return new Response(text, { status, ...(more ? { headers: more } : {}) });
    };
    return Object.assign(answer, { preconnect: () => {} });
  }
}

function ticking(): () => number {
  let now = 1_800_000_000_000;
  return () => now++;
}

/** Deterministic numbers below 1 for a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
