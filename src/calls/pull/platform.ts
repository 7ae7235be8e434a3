import type { Stretch } from "./covered.ts";

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
export interface Page {
  readonly calls: readonly ListedCall[];
  readonly read: Stretch;
}

/** Reads calls through a platform's client. */
export interface CallPlatform {
  /** Lists the calls of a time interval, page by page. */
  readonly pages: (stretch: Stretch, signal: AbortSignal) => AsyncIterable<Page>;
  /** Reads a call that the list does not have in full. */
  readonly read: (id: string, signal: AbortSignal) => Promise<unknown>;
}

/** The connection to a platform, and the calls to read. */
export interface PlatformOptions {
  readonly key: string;
  readonly baseUrl?: string | undefined;
  /** Only calls of this agent or assistant. */
  readonly agentId?: string | undefined;
  /** Time limit of one request in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Retries a request if that can help. */
  readonly attempt: <Answer>(about: string, send: () => Promise<Answer>) => Promise<Answer>;
}
