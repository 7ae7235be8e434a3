import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalRetell } from "../../platforms/retell/local/mod.ts";
import type { LocalFault, LocalPlatform, LocalRequest } from "../../platforms/serving/mod.ts";
import { LocalVapi } from "../../platforms/vapi/local/mod.ts";
import { createPlatformClient, type PlatformRequest } from "../../src/base/http/mod.ts";
import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";
import { type DeployFormat, type DeployTarget, listDeployed, type ResourceIds } from "../../src/deploy/mod.ts";
import { ANY, TEST_CONNECTION } from "../base/http/connection.ts";
import { WITHOUT_PAUSES } from "../test_clock.ts";

export const KEY = "key-of-the-test-workspace";

export type To = DeployFormat;

/** The formats of each platform. */
export const FORMATS = [
  ["retell", "retell-llm"],
  ["vapi-squad", "vapi-assistant"],
] as const satisfies readonly (readonly To[])[];

/** A local platform without a server: `fetch` calls it directly. */
export class World implements AsyncDisposable {
  /** The format that the code names now. */
  to: To;
  readonly folder: string;
  readonly requests: string[] = [];
  /** Decides for each request of a deployment whether it fails. */
  fault: (request: LocalRequest) => LocalFault | undefined = () => undefined;
  readonly #platform: LocalPlatform;

  private constructor(to: To, folder: string, random: () => number) {
    this.to = to;
    this.folder = folder;
    const options = { keys: { [KEY]: "org-1", "key-of-another-workspace": "org-2" }, random, now: ticking() };
    this.#platform = to.startsWith("retell") ? new LocalRetell(options) : new LocalVapi(options);
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
    return this.isRetell ? `/update-${kind}/${ids[address]}` : `/${kind}/${ids[address]}`;
  }

  deletePath(address: string, ids: ResourceIds): string {
    return this.updatePath(address, ids).replace("/update-", "/delete-");
  }

  /** A resource as the platform has it. */
  async read(address: string, ids: ResourceIds): Promise<JsonObject> {
    const path = this.updatePath(address, ids).replace("/update-", "/get-");
    const answer = await this.send({ method: "GET", path });
    return isRecord(answer) ? answer : {};
  }

  /** Another machine has only the lock file. */
  async forget(): Promise<void> {
    await rm(join(this.folder, ".callweave", "deploy"), { recursive: true, force: true });
  }

  /** Ids of all resources of the workspace, except phone numbers. */
  async everything(): Promise<readonly string[]> {
    const lists = this.isRetell
      ? ([
          ["POST", "/v2/list-agents", "agent_id"],
          ["GET", "/v2/list-conversation-flows", "conversation_flow_id"],
          ["GET", "/v2/list-retell-llms", "llm_id"],
        ] as const)
      : ([
          ["GET", "/assistant", "id"],
          ["GET", "/squad", "id"],
        ] as const);
    const found = await Promise.all(
      lists.map(async ([method, path, key]) => {
        const answer = await this.send({ method, path, ...(method === "POST" ? { body: {} } : {}) });
        const items = Array.isArray(answer)
          ? answer
          : isRecord(answer) && Array.isArray(answer.items)
            ? answer.items
            : [];
        return items.filter(isRecord).map((item) => String(item[key]));
      }),
    );
    return found.flat().sort();
  }

  #fetch(faultOf: (request: LocalRequest) => LocalFault | undefined): typeof fetch {
    const answer = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const url = new URL(String(input));
      const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : {};
      const key = new Headers(init.headers).get("authorization")?.replace("Bearer ", "") ?? "";
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
      const { status, headers } = answered;
      const text = answered.body === undefined || status === 204 ? null : JSON.stringify(answered.body);
      return new Response(text, { status, ...(headers ? { headers } : {}) });
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
