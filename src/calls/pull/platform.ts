import type { Stretch } from "./covered.ts";

/** What a platform's list says of a call. */
export interface ListedCall {
  readonly id: string;
  /** When it was started or created, in milliseconds since 1970. */
  readonly at: number;
  /** Whether it still runs or waits: it is read by a later pull. */
  readonly isOpen: boolean;
  /** The call, where the list has all of it. */
  readonly call?: unknown;
}

/** A page of a list, and the stretch of time that is read with it. */
export interface Page {
  readonly calls: readonly ListedCall[];
  readonly read: Stretch;
}

/** Reads calls through a platform's client. */
export interface CallPlatform {
  /** Lists the calls of a stretch of time, page by page. */
  readonly pages: (stretch: Stretch, signal: AbortSignal) => AsyncIterable<Page>;
  /** Reads a call of which the list does not have all. */
  readonly read: (id: string, signal: AbortSignal) => Promise<unknown>;
}

/** How a platform is reached, and which calls are read. */
export interface PlatformOptions {
  readonly key: string;
  readonly baseUrl?: string | undefined;
  /** Only calls of this agent or assistant. */
  readonly agentId?: string | undefined;
  /** Time limit of one request in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Sends a request again where that helps. */
  readonly attempt: <Answer>(about: string, send: () => Promise<Answer>) => Promise<Answer>;
}
