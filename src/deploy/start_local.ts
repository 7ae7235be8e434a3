import { PLATFORMS, type PlatformFacts, type PlatformName, serveLocally } from "../../platforms/mod.ts";

/** Local platforms that listen on 127.0.0.1, with the base URL of each. They keep everything in memory. */
export type LocalPlatforms = AsyncDisposable & {
  readonly [Platform in PlatformName]: string;
} & {
  /** The key that all of them accept. */
  readonly key: string;
};

/** The key of the local platforms. It has no other use. */
const LOCAL_KEY = "callweave-local-key";

/**
 * Starts local platforms for first steps and tests: they respond like the platforms' APIs, without an account or a
 * network. Disposing stops them.
 *
 * @param options `strictSchema` rejects keys and choices that the platforms' published schemas lack.
 */
export async function startLocalPlatforms({
  strictSchema = false,
}: {
  readonly strictSchema?: boolean;
} = {}): Promise<LocalPlatforms> {
  const keys = { [LOCAL_KEY]: "local" };
  const start = async ({ deploy }: PlatformFacts) => {
    const local = await deploy?.local(); // loads the platform's schemas
    return local && (await serveLocally(local({ keys, strictSchema })));
  };
  const servers = await Promise.all(
    Object.values<PlatformFacts>(PLATFORMS).map(async (facts) => [facts.name, await start(facts)] as const),
  );
  const urls = Object.fromEntries(servers.map(([name, server]) => [name, server?.url ?? ""])) as {
    readonly [Platform in PlatformName]: string; // fromEntries() does not keep the names of the keys
  };
  return {
    ...urls,
    key: LOCAL_KEY,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(async ([, server]) => await server?.[Symbol.asyncDispose]()));
    },
  };
}
