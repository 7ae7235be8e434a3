/** Local platforms that listen on 127.0.0.1. They keep everything in memory. */
export interface LocalPlatforms extends AsyncDisposable {
  /** Base URL of the one that behaves like Retell. */
  readonly retell: string;
  /** Base URL of the one that behaves like Vapi. */
  readonly vapi: string;
  /** The key that both take. */
  readonly key: string;
}

/** The key of the local platforms. It opens nothing else. */
const LOCAL_KEY = "callweave-local-key";

/**
 * Starts local platforms for a first try and for tests: they answer as Retell and Vapi do, without an account or a network.
 * Disposing stops them.
 */
export async function startLocalPlatforms(): Promise<LocalPlatforms> {
  const { LocalRetell, LocalVapi, serveLocally } = await import("./local/mod.ts"); // with the platforms' schemas
  const keys = { [LOCAL_KEY]: "local" };
  const [retell, vapi] = await Promise.all([
    serveLocally(new LocalRetell({ keys })),
    serveLocally(new LocalVapi({ keys })),
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
