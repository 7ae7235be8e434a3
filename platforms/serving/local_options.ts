import type { JsonObject } from "../../src/base/values/mod.ts";

/** Options of a local platform. */
export interface LocalOptions {
  /** Workspaces by key; resources created with one key are invisible to keys of other workspaces. */
  readonly keys: { readonly [key: string]: string };
  /** Numbers below 1, for ids and the order of keys. Default: `Math.random`. */
  readonly random?: () => number;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
  /** Maximum page size, whatever limit a request asks for. Default: 1,000. */
  readonly maxPage?: number;
  /** Requests that a workspace may send per second; more get a 429 with `Retry-After`. Default: no limit. */
  readonly requestsPerSecond?: number;
  /**
   * Reject keys and choices that the platform's published schema lacks. Default: accept them, as the platforms do with
   * keys that are older or newer than their documents.
   */
  readonly strictSchema?: boolean;
  /** Initial resources. They are not validated: a platform also holds what older versions of its API accepted. */
  readonly stored?: readonly StoredResource[];
}

/** A resource that a local platform starts with. */
export interface StoredResource {
  readonly kind: string;
  readonly id: string;
  readonly workspace: string;
  readonly body: JsonObject;
}

/** The options with their defaults. */
export function withDefaultOptions({
  keys,
  random = Math.random,
  now = Date.now,
  maxPage = 1000,
  requestsPerSecond = Number.POSITIVE_INFINITY,
  strictSchema = false,
  stored = [],
}: LocalOptions): Required<LocalOptions> {
  return { keys, random, now, maxPage, requestsPerSecond, strictSchema, stored };
}

/** Random digits of a base up to 16, for ids. */
export function randomDigits({ random }: Pick<Required<LocalOptions>, "random">, count: number, base = 16): string {
  return Array.from({ length: count }, () => Math.floor(random() * base).toString(16)).join("");
}
