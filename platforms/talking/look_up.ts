import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";
import {
  type AgentClient,
  type AgentRequest,
  type CallRequest,
  ConnectionError,
  connectionFailure,
} from "../../src/call/connection/mod.ts";

/** Kinds of refusals that say nothing of the agent: a proxy may pass on only the requests of calls. */
const MISSING: readonly string[] = ["unknown-agent", "refused"];

/**
 * Reads a part of an agent before a run. An agent that does not exist is refused by the first request of a call.
 *
 * @param has Whether an answer is that part: an empty one would look like an agent that has nothing.
 * @returns `undefined` if the server does not have it, or does not answer such requests.
 * @throws {ConnectionError} When the key is rejected, the server fails, or its answer is something else.
 */
export async function lookUp(
  client: AgentClient,
  what: AgentRequest,
  request: CallRequest,
  { name, has }: { readonly name: string; readonly has: (found: JsonObject) => boolean },
): Promise<JsonObject | undefined> {
  let found: unknown;
  try {
    found = await client.send(what, request);
  } catch (error) {
    if (error instanceof ConnectionError && MISSING.includes(error.kind)) return undefined;
    throw error;
  }
  if (isRecord(found) && has(found)) return found;
  throw connectionFailure(name, "vendor", `what it answers at ${what.path ?? "its address"} is no part of an agent`);
}

/**
 * Refuses an agent whose version is not the one that was asked for, on a platform whose calls cannot choose it.
 *
 * @throws {ConnectionError} `unknown-agent`.
 */
export function checkVersion(
  name: string,
  asked: string | undefined,
  found: { readonly newest: string | undefined; readonly also?: readonly string[] },
): void {
  if (asked === undefined) return;
  const { newest, also = [] } = found;
  if (newest !== undefined && [newest, ...also].includes(asked)) return;
  const state =
    newest === undefined
      ? `its version is not known, and calls cannot choose version ${asked}`
      : `its version is ${newest}, and calls cannot choose version ${asked}`;
  throw connectionFailure(name, "unknown-agent", state, { hint: "Remove the version, or publish it" });
}
