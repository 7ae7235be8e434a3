import { dirname } from "node:path";
import type { Client } from "@libsql/client";
import { makeFolder } from "../../../base/files/mod.ts";
import { boundedFetch } from "../../../base/http/mod.ts";
import type { Location } from "./location.ts";

// libSQL's file client is synchronous: while it waits for a lock, the whole process stops. So long waits happen outside
// the client. A short one remains, because a wait that fails inside costs a connection; see Database.#renew().
const BUSY_TIMEOUT_MS = 500;

/** Size limit of a server's answer: more than any page of results that is asked for. */
const MOST_BYTES = 256 * 2 ** 20;

/**
 * Creates the libSQL client for a location.
 *
 * @param signal Returns the signal that aborts HTTP requests. An abandoned request would keep the process alive, and a
 *   retry must not run at the same time.
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
      const send = boundedFetch({ mostBytes: MOST_BYTES, fail: (state) => new TypeError(`the server ${state}`) });
      return createClient({ ...config, fetch: (request: Request) => send(request, { signal: signal() }) });
    }
    case "ws":
      return (await import("@libsql/client/ws")).createClient(config);
  }
}
