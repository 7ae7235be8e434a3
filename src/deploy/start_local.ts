/** Local platforms that listen on 127.0.0.1. They keep everything in memory. */
export interface LocalPlatforms extends AsyncDisposable {
  /** Base URL of the local Retell API. */
  readonly retell: string;
  /** Base URL of the local Vapi API. */
  readonly vapi: string;
  /** The key that both accept. */
  readonly key: string;
}

/** The key of the local platforms. It has no other use. */
const LOCAL_KEY = "callweave-local-key";

/**
 * Starts local platforms for first steps and tests: they respond like Retell and Vapi, without an account or a network.
 * Disposing stops them.
 *
 * @param options `strictSchema` rejects keys and choices that the platforms' published schemas lack.
 */
export async function startLocalPlatforms({
  strictSchema = false,
}: {
  readonly strictSchema?: boolean;
} = {}): Promise<LocalPlatforms> {
  const { LocalRetell, LocalVapi, serveLocally } = await import("./local/mod.ts"); // loads the platforms' schemas
  const keys = { [LOCAL_KEY]: "local" };
  const [retell, vapi] = await Promise.all([
    serveLocally(new LocalRetell({ keys, strictSchema })),
    serveLocally(new LocalVapi({ keys, strictSchema })),
  ]);
  return {
    retell: retell.url,
    vapi: vapi.url,
    key: LOCAL_KEY,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([retell[Symbol.asyncDispose](), vapi[Symbol.asyncDispose]()]);
    },
  };
}
