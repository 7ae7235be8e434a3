import { PLATFORMS, type PlatformFacts, type PlatformName, serveLocally } from "../../platforms/mod.ts";

/** Local platforms that listen on 127.0.0.1, with the base URL of each. They keep everything in memory. */
export type LocalPlatforms = AsyncDisposable & {
  readonly [Platform in PlatformName as (typeof PLATFORMS)[Platform]["deploy"] extends { readonly local: () => unknown }
    ? Platform
    : never]: string;
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
  const locals = Object.values<PlatformFacts>(PLATFORMS).flatMap(({ name, deploy }) =>
    deploy?.local ? [{ name, load: deploy.local }] : [],
  );
  const servers = await Promise.all(
    locals.map(async ({ name, load }) => {
      const local = await load(); // loads the platform's schemas
      return [name, await serveLocally(local({ keys, strictSchema }))] as const;
    }),
  );
  const urls = Object.fromEntries(servers.map(([name, { url }]) => [name, url])) as Omit<
    LocalPlatforms,
    "key" | typeof Symbol.asyncDispose // fromEntries() does not keep the names of the keys
  >;
  return {
    ...urls,
    key: LOCAL_KEY,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(async ([, server]) => await server[Symbol.asyncDispose]()));
    },
  };
}
