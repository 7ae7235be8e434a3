import type { LocalAnswer } from "./serve.ts";

const WINDOW_MS = 1000;

/** Limits the requests per second of each workspace. */
export class RateLimit {
  readonly #most: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, { readonly start: number; readonly count: number }>();

  constructor(requestsPerSecond: number, now: () => number) {
    this.#most = requestsPerSecond;
    this.#now = now;
  }

  /** Counts a request. Returns a response if it exceeds the limit. */
  refuse(workspace: string): LocalAnswer | undefined {
    const now = this.#now();
    const last = this.#windows.get(workspace);
    const window = last && now - last.start < WINDOW_MS ? last : { start: now, count: 0 };
    this.#windows.set(workspace, { ...window, count: window.count + 1 });
    if (window.count < this.#most) return undefined;
    const wait = Math.ceil((window.start + WINDOW_MS - now) / 1000);
    return { status: 429, headers: { "retry-after": String(wait) }, body: { message: "Too many requests" } };
  }
}
