import { PlatformError } from "../../src/base/errors.ts";
import {
  type ConnectionWords,
  createPlatformClient,
  type PlatformApi,
  type PlatformClient,
} from "../../src/base/http/mod.ts";
import { type Clock, defined } from "../../src/base/values/mod.ts";

/** A time interval in milliseconds since 1970, without its end. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** An entry of a platform's list of calls. */
export interface ListedCall {
  readonly id: string;
  /** When it was started or created, in milliseconds since 1970. */
  readonly at: number;
  /** Whether the call still runs or waits; a later pull reads it. */
  readonly isOpen: boolean;
  /** The call, if the list has all of it. */
  readonly call?: unknown;
}

/** A page of a list, and the time interval that it covers. */
export interface CallPage {
  readonly calls: readonly ListedCall[];
  readonly read: Stretch;
}

/** Reads calls from a platform. */
export interface CallList {
  /** Lists the calls of a time interval, page by page. */
  readonly pages: (stretch: Stretch) => AsyncIterable<CallPage>;
  /** Reads a call that the list does not have in full. */
  readonly read: (id: string) => Promise<unknown>;
}

/** The connection to a platform, and the calls to read. */
export interface CallListOptions {
  readonly key: string;
  readonly baseUrl?: string | undefined;
  /** Only calls of this agent or assistant. */
  readonly agentId?: string | undefined;
  /** Time limit of one request in milliseconds. */
  readonly requestTimeoutMs?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const AGAIN = "Pull again later: what was read is stored";
const WORDS: ConnectionWords = {
  error: PlatformError,
  key: "Set the key of the workspace that holds the calls",
  readAgain: AGAIN,
  writeAgain: AGAIN,
};

/** The client of a platform whose calls are read. */
export function clientFor(
  api: PlatformApi,
  { baseUrl = api.baseUrl, key, requestTimeoutMs, fetch: send, clock, signal }: CallListOptions,
): PlatformClient {
  return createPlatformClient({
    ...api,
    ...defined({ baseUrl, key, requestTimeoutMs, fetch: send, clock, signal, words: WORDS }),
  });
}
