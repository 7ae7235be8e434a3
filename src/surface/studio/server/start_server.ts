import type { AddressInfo } from "node:net";
import { basename, resolve } from "node:path";
import { UsageError } from "../../../base/errors.ts";
import { errorCode, isRecord, thrownWords } from "../../../base/values/mod.ts";
import { createCoalesced, createLatest, createNewGroups, listTokens, type StudioData } from "../data/mod.ts";
import { type AccessOptions, createAccess } from "./access.ts";
import { type AgentQuestion, type AskProcess, createAgents, createGraphWork } from "./agents/mod.ts";
import { createApp } from "./app.ts";
import { createChats, type PrepareChat } from "./chats/mod.ts";
import type { Connections } from "./connections.ts";
import type { Environments } from "./environments.ts";
import { createEventFeed } from "./event_feed.ts";
import { keepIndexing } from "./keep_indexing.ts";
import type { PageFiles } from "./page_files.ts";
import { createRunsHere, type StartRun } from "./runs_here.ts";
import type { Studio } from "./studio.ts";
import { createTrials, type HoldTrial } from "./trials.ts";

/** Where a server listens, and what it serves. */
export interface ServerOptions {
  /** Address to listen on. Another one than 127.0.0.1 needs tokens. Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** 0 takes a free one. */
  readonly port: number;
  readonly access: Omit<AccessOptions, "needsToken">;
  /** Files of the page; `undefined`: only the API is served. */
  readonly page: PageFiles | undefined;
  readonly question: AgentQuestion | undefined;
  readonly environments: Environments;
  /** Deployed agents to talk with. Default: none. */
  readonly connections?: Connections | undefined;
  readonly prepareChat: PrepareChat;
  readonly startRun: StartRun | undefined;
  /** Holds the calls of trials; `undefined`: there is no agent to try. */
  readonly holdTrial?: HoldTrial | undefined;
  /** Draws agents and decides policies. Default: in processes of their own. */
  readonly askOfGraph?: AskProcess;
  readonly folder: string;
  readonly version: string;
  /** Pause between two looks for new events. */
  readonly pollMs?: number;
  readonly onError: (error: unknown) => void;
}

/** A server of the studio. */
export interface StudioServer {
  /** With a slash at the end. */
  readonly address: string;
  /** Stops runs and chats, and ends all connections. */
  readonly close: () => Promise<void>;
}

const LOCAL = "127.0.0.1";
const REQUEST_MS = 60_000;
/** An idle connection stays open longer than in proxies: one that ends while a request is on its way resets it. */
const IDLE_MS = 65_000;
const MOST_CONNECTIONS = 2_000;
/** Number of runs of which figures of agents stay in memory. */
const MOST_SEEN = 16;
/** Number of runs whose scenarios stay in memory; 10,000 calls take 2 MB. */
const MOST_GRIDS = 4;
/** Time between two reads of a run that goes on. */
const GRID_MS = 200;

/**
 * Starts the server. On 127.0.0.1, everybody on this machine is an editor; elsewhere people sign in with tokens.
 *
 * @throws {UsageError} `cannot-listen`; `usage` for another address without a token.
 */
export async function startServer(data: StudioData, options: ServerOptions): Promise<StudioServer> {
  const { host = LOCAL, port, folder } = options;
  const needsToken = !isLocal(host);
  if (needsToken && (await listTokens(data)).length === 0)
    throw new UsageError(`Cannot serve on ${host}: nobody has a token to sign in with`, {
      code: "usage",
      hint: "Create one: callweave studio token create NAME --role editor",
    });
  const stopped = new AbortController();
  const events = createEventFeed(data, options.pollMs);
  const runs = createRunsHere(data, options.startRun);
  const chats = createChats(options.prepareChat);
  const trials = createTrials(options.holdTrial);
  const studio: Studio = {
    ...{ data, events, runs, chats, trials, folder },
    newGroups: createNewGroups(data),
    agents: createAgents(data, options.question, { feed: events, signal: stopped.signal }),
    graphWork: createGraphWork(stopped.signal, options.askOfGraph),
    environments: options.environments,
    seen: createLatest(MOST_SEEN),
    grids: createLatest(MOST_GRIDS),
    connections: options.connections ?? { names: [], connect: async () => undefined },
    readGrid: createCoalesced(GRID_MS),
    name: basename(resolve(folder)) || "project",
    version: options.version,
    onError: options.onError,
  };
  let hosts: readonly string[] = [];
  const access = createAccess(data, { ...options.access, needsToken }, () => hosts);
  const app = createApp({ studio, access, page: options.page });
  const [{ getRequestListener }, { createServer }] = await Promise.all([
    import("@hono/node-server"),
    import("node:http"),
  ]);
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  server.requestTimeout = REQUEST_MS;
  server.keepAliveTimeout = IDLE_MS;
  server.maxConnections = MOST_CONNECTIONS;
  const bound = await new Promise<number>((done, fail) => {
    server.once("error", (cause) => fail(cannotListen(host, port, cause)));
    server.listen(port, host, () => {
      const address: AddressInfo | string | null = server.address();
      done(isRecord(address) ? Number(address.port) : port);
    });
  });
  hosts = [`${LOCAL}:${bound}`, `localhost:${bound}`, `[::1]:${bound}`];
  const indexing = keepIndexing(data, stopped.signal, options.onError);
  return {
    address: `http://${host.includes(":") ? `[${host}]` : host}:${bound}/`,
    close: async () => {
      stopped.abort();
      events.close();
      chats.close();
      trials.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await Promise.all([closed, runs.close(), indexing]);
    },
  };
}

function isLocal(host: string): boolean {
  return host === LOCAL || host === "localhost" || host === "::1";
}

function cannotListen(host: string, port: number, cause: Error): UsageError {
  const state = errorCode(cause) === "EADDRINUSE" ? "another program uses it" : thrownWords(cause);
  const hint = "Name another port with --port, or leave it out";
  return new UsageError(`Cannot serve on ${host}, port ${port}: ${state}`, { code: "cannot-listen", hint, cause });
}
