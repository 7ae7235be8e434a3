import { readEvents } from "./read_events.ts";
import { API_PATH, KEY_HEADER, ROUTES, type Route, type StudioRouteName } from "./routes.ts";
import type { StudioAnswer, StudioChatEvent, StudioEventRecord, StudioInput } from "./types.ts";

/** Options of {@link createStudioClient}. */
export interface StudioClientOptions {
  /** Address of the server, such as `http://127.0.0.1:4040`. Default: that of the page. */
  readonly url?: string;
  /** Token of `callweave studio token`. Without one, the browser's cookie or the local server's trust counts. */
  readonly token?: string;
  /** Sends the requests. Default: the runtime's `fetch`. */
  readonly fetch?: (address: string, init: RequestInit) => Promise<Response>;
  /** First and longest pause before `events()` connects again, in milliseconds. Default: 500 and 15,000. */
  readonly pausesMs?: readonly [first: number, longest: number];
}

/** Abort signal of a request. */
export interface StudioRequestOptions {
  readonly signal?: AbortSignal;
}

/** Names of the routes that answer JSON, events or a file. */
export type StudioRouteOf<Kind extends "json" | "events" | "file"> = {
  [Name in StudioRouteName]: (typeof ROUTES)[Name]["gives"] extends Kind ? Name : never;
}[StudioRouteName];

/**
 * A function for each route that answers JSON. It takes the parameters of the path, the query and the body in one
 * object.
 */
export type StudioRequests = {
  readonly [Name in StudioRouteOf<"json">]: (
    input: StudioInput<Name>,
    options?: StudioRequestOptions,
  ) => Promise<StudioAnswer<Name>>;
};

/** The client of a studio's server. */
export interface StudioClient extends StudioRequests {
  /** Says something in a chat, and streams the reply. */
  readonly say: (input: StudioInput<"say">, options?: StudioRequestOptions) => AsyncGenerator<StudioChatEvent>;
  /**
   * What happens, as it happens. Reconnects with growing pauses, and loses nothing: it goes on after the last event.
   *
   * @param options `after`: id of the last event that is known; default: only what happens from now on.
   */
  readonly events: (options: StudioRequestOptions & { readonly after?: string }) => AsyncGenerator<StudioEventRecord>;
  /** The address of a file, such as a recording or an export. */
  readonly address: <Name extends StudioRouteOf<"file">>(name: Name, input: StudioInput<Name>) => string;
}

/** An error that the server answered. */
export class StudioRequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly hint: string;

  constructor(status: number, error: { code: string; message: string; path: (string | number)[]; hint: string }) {
    super(error.message);
    this.name = "StudioRequestError";
    this.status = status;
    this.code = error.code;
    this.path = error.path;
    this.hint = error.hint;
  }
}

const PAUSES_MS = [500, 15_000] as const;

/**
 * Creates a client of the server that `callweave studio` or `callweave serve` starts.
 *
 * @example
 * ```ts no-run
 * import { createStudioClient } from "callweave/client";
 *
 * const studio = createStudioClient({ url: "http://127.0.0.1:4040" });
 * const { items } = await studio.runs({ agent: "help desk", limit: 10 });
 * const run = await studio.run({ run: items[0]?.id ?? "" });
 * ```
 */
export function createStudioClient(options: StudioClientOptions = {}): StudioClient {
  const {
    url = "",
    token,
    pausesMs: [firstMs, longestMs] = PAUSES_MS,
    fetch: send = (address, init) => fetch(address, init),
  } = options;
  const base = url.replace(/\/+$/, "") + API_PATH;
  let key: Promise<string | null> | undefined;

  const requests = Object.fromEntries(
    Object.entries(ROUTES).map(([name, route]) => [
      name,
      async (input: Input = {}, { signal }: StudioRequestOptions = {}) => {
        const response = await request(route, input, { ...(signal ? { signal } : {}) });
        const answer: unknown = await response.json();
        if (route.path === "/session") key = undefined;
        return answer;
      },
    ]),
  );

  return {
    ...(requests as unknown as StudioRequests), // a function for each route: fromEntries() forgets the names
    say: async function* (input, { signal } = {}) {
      const { body } = await request(ROUTES.say, input, { ...(signal ? { signal } : {}) });
      if (!body) return;
      for await (const { data } of readEvents(body)) yield JSON.parse(data) as StudioChatEvent; // of the server's schema
    },
    events: async function* ({ after, signal }) {
      let last = after;
      let pauseMs = firstMs;
      while (!signal?.aborted) {
        try {
          const { body } = await request(
            ROUTES.events,
            {},
            {
              headers: last === undefined ? {} : { "last-event-id": last },
              ...(signal ? { signal } : {}),
            },
          );
          if (body)
            for await (const { id, data } of readEvents(body)) {
              last = id;
              pauseMs = firstMs;
              const event = JSON.parse(data) as StudioEventRecord | { readonly type: "connected" }; // of the server's schema
              if (event.type !== "connected") yield { ...event, id };
            }
        } catch (error) {
          if (signal?.aborted) return;
          if (error instanceof StudioRequestError && error.status < 500) throw error;
        }
        await pause(pauseMs, signal);
        pauseMs = Math.min(longestMs, pauseMs * 2);
      }
    },
    address: (name, input) => base + addressOf(ROUTES[name], input),
  };

  async function request(route: Route, input: Input, init: RequestInit): Promise<Response> {
    const address = base + addressOf(route, input);
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const changes = route.method !== "GET";
    if (changes && token === undefined && route !== ROUTES.signIn) headers.set(KEY_HEADER, (await ownKey()) ?? "");
    if (changes) headers.set("content-type", "application/json");
    const body = route.method === "POST" ? { body: JSON.stringify(bodyOf(route, input)) } : {};
    const response = await send(address, { ...init, method: route.method, headers, ...body });
    if (response.ok) return response;
    if (response.status === 403) key = undefined; // the server may have been restarted
    throw await errorOf(response);
  }

  async function ownKey(): Promise<string | null> {
    key ??= request(ROUTES.session, {}, {})
      .then((response) => response.json())
      .then((session: { readonly key: string | null }) => session.key);
    return await key.catch((error: unknown) => {
      key = undefined;
      throw error;
    });
  }
}

interface Input {
  readonly [name: string]: unknown;
}

const PARAMETER = /:(\w+)/g;

function namesIn({ path }: Route): ReadonlySet<string> {
  return new Set([...path.matchAll(PARAMETER)].map(([, name = ""]) => name));
}

function addressOf(route: Route, input: Input): string {
  const path = route.path.replace(PARAMETER, (_, name: string) => encodeURIComponent(String(input[name] ?? "")));
  if (route.method !== "GET") return path;
  const query = new URLSearchParams();
  const names = namesIn(route);
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && !names.has(name)) query.set(name, String(value));
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

function bodyOf(route: Route, input: Input): Input {
  const names = namesIn(route);
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.has(name)));
}

async function errorOf(response: Response): Promise<StudioRequestError> {
  const text = await response.text();
  try {
    return new StudioRequestError(response.status, JSON.parse(text).error);
  } catch {
    const message = `Cannot ask the studio: it answered ${response.status}`;
    return new StudioRequestError(response.status, { code: "internal", message, path: [], hint: "Check the address" });
  }
}

/** Waits, unless the signal aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
    signal?.addEventListener("abort", end, { once: true });
  });
}
