import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LocalRetell } from "../../../platforms/retell/local/mod.ts";
import { type LocalServer, serveLocally } from "../../../platforms/serving/mod.ts";
import { LocalVapi } from "../../../platforms/vapi/local/mod.ts";
import { isRecord } from "../../../src/base/values/mod.ts";
import { callweave, folder, type Given, type Ran } from "./_terminal.ts";

/** Keys of two workspaces, in the platforms' formats. */
export const KEYS = {
  staging: "key_00000000000000000000staging0",
  production: "key_0000000000000000000production",
};

const WORKSPACES = { [KEYS.staging]: "workspace-one", [KEYS.production]: "workspace-two" };

/** The two platforms, and the formats that are deployed to them. */
export const PLATFORMS = [
  { to: "retell", variable: "RETELL_API_KEY" },
  { to: "vapi-squad", variable: "VAPI_API_KEY" },
] as const;

export type Platform = (typeof PLATFORMS)[number];

/** A project with a local platform. */
export interface DeployProject extends AsyncDisposable {
  readonly path: string;
  readonly server: LocalServer;
  /** Runs `callweave deploy …` in the project, with the key of the first workspace. */
  readonly deploy: (argv: readonly string[], given?: Given) => Promise<Ran>;
  /** Reads from the platform, and edits resources like a user of its dashboard. */
  readonly get: (path: string) => Promise<Record<string, unknown>>;
  readonly patch: (path: string, body: unknown) => Promise<void>;
  /** Id of a resource in the lock file. */
  readonly id: (address: string, environment?: string) => string;
  /** Path of a file of the project. */
  readonly file: (name: string) => string;
  /** All files of the project, including its state. */
  readonly texts: () => readonly string[];
}

/** Creates a project with files, and starts a platform for it. */
export async function deployProject(
  { to, variable }: Platform,
  files: Readonly<Record<string, unknown>>,
): Promise<DeployProject> {
  const platform = to === "retell" ? new LocalRetell({ keys: WORKSPACES }) : new LocalVapi({ keys: WORKSPACES });
  const server = await serveLocally(platform);
  const path = folder(files);
  const env = { [variable]: KEYS.staging, STAGING_KEY: KEYS.staging, PRODUCTION_KEY: KEYS.production };
  const request = async (method: string, at: string, body?: unknown): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${KEYS.staging}`, "content-type": "application/json" };
    const answer = await fetch(`${server.url}${at}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const value: unknown = await answer.json();
    if (!answer.ok || !isRecord(value)) throw new Error(`${method} ${at}: ${answer.status} ${JSON.stringify(value)}`);
    return value;
  };
  return {
    path,
    server,
    deploy: async ([command = "", ...rest], given = {}) =>
      await callweave(
        [
          ...["deploy", command, ...rest, "--folder", path],
          ...(command === "list" ? [] : ["--base-url", server.url]),
          ...(command === "list" || rest.includes("--to") || rest.includes("--env") || command === "promote"
            ? []
            : ["--to", to]),
        ],
        { ...given, env: { ...env, ...given.env } },
      ),
    get: async (at) => await request("GET", at),
    patch: async (at, body) => void (await request("PATCH", at, body)),
    id: (address, environment = "default") => idIn(join(path, "callweave.lock.json"), address, environment),
    file: (name) => join(path, name),
    texts: () =>
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8")),
    [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
  };
}

function idIn(file: string, address: string, environment: string): string {
  const { environments } = JSON.parse(readFileSync(file, "utf8"));
  const [agents] = Object.values<Record<string, { ids: Record<string, string> }>>(environments[environment]);
  const [agent] = Object.values(agents ?? {});
  const id = agent?.ids[address];
  if (id === undefined) throw new Error(`no ${address} in ${file}`);
  return id;
}
