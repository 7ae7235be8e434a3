import { dirname } from "node:path";
import type { Client } from "@libsql/client";
import { makeFolder } from "../../files/mod.ts";
import type { Location } from "./location.ts";

// libSQL's file client works synchronously: a wait inside it stops the whole process, so that long waits are done
// outside of it. A short one stays, because a wait that fails inside costs a connection: see Database.#renew().
const BUSY_TIMEOUT_MS = 500;

/**
 * Loads the client that a location needs.
 *
 * @param signal Aborts the requests of an HTTP client. One that nobody waits for would keep the process alive, and a
 *   second try must not run beside the first.
 */
export async function createClient(location: Location, signal: () => AbortSignal): Promise<Client> {
  const { kind, url, authToken } = location;
  const config = authToken === undefined ? { url } : { url, authToken };
  switch (kind) {
    case "file": {
      if (location.file !== undefined) await makeFolder(dirname(location.file));
      return (await import("@libsql/client/sqlite3")).createClient({ url, timeout: BUSY_TIMEOUT_MS });
    }
    case "memory":
      return (await import("@libsql/client/sqlite3")).createClient({ url });
    case "http": {
      const { createClient } = await import("@libsql/client/http");
      const boundedFetch = (request: Request) => fetch(request, { signal: signal() });
      return createClient({ ...config, fetch: boundedFetch });
    }
    case "ws":
      return (await import("@libsql/client/ws")).createClient(config);
  }
}
