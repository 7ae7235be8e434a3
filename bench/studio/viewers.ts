import { execFile } from "node:child_process";
import { Agent, get } from "node:http";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { createStudioClient } from "../../src/surface/studio/api/client.ts";
import { sized } from "../figure.ts";
import { javascript } from "../javascript.ts";
import type { ServerProcess } from "./server.ts";

/** What viewers of a live run saw, and what it cost the server. */
export interface Watched {
  /** Events of the run, which each viewer has to see once. */
  readonly events: number;
  readonly lost: number;
  readonly doubled: number;
  /** Connections that were cut in the middle of an event. */
  readonly cuts: number;
  /** How often viewers read the run again, as the page does after events. */
  readonly reads: number;
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** How many watch, and what. */
export interface Watching {
  readonly viewers: number;
  readonly scenarios: number;
  readonly repeat: number;
}

/** Shortest time between two reads of a run, as on the page. */
const CALM_MS = 700;
/** Every second viewer loses its connection after so many bytes, and those after it a little later. */
const CUT_BYTES = sized(9_001, 1_001);
const LIMIT_MS = 900_000;
const AGENT = new Agent({ keepAlive: true });

/** Viewers watch a run of another process from its start to its end. */
export async function watchRun(server: ServerProcess, db: string, watching: Watching): Promise<Watched> {
  const program = await javascript("bench/studio/live_run.ts");
  const over = new AbortController();
  const viewers = Array.from({ length: watching.viewers }, (_, index) =>
    startViewer(server.address, index, over.signal),
  );
  await Promise.all(viewers.map(({ connected }) => connected));
  const before = await server.usage();
  const started = performance.now();
  const args = [program, db, String(watching.scenarios), String(watching.repeat)];
  const { stdout } = await promisify(execFile)("node", args, { timeout: LIMIT_MS });
  const run = stdout.trim();
  const seen = await Promise.all(viewers.map(({ seen }) => seen(run)));
  const wallMs = performance.now() - started;
  const after = await server.usage();
  over.abort();
  AGENT.destroy();
  // started, each call, ended
  const events = watching.scenarios * watching.repeat + 2;
  return {
    events,
    lost: sum(seen.map((ids) => events - new Set(ids).size)),
    doubled: sum(seen.map((ids) => ids.length - new Set(ids).size)),
    cuts: sum(viewers.map(({ cuts }) => cuts())),
    reads: sum(viewers.map(({ reads }) => reads())),
    wallMs,
    cpuMs: after.cpuMs - before.cpuMs,
  };
}

function startViewer(address: string, index: number, signal: AbortSignal) {
  let cuts = 0;
  let reads = 0;
  const isCut = index % 2 === 1;
  const failures: unknown[] = [];
  let markConnected = () => {};
  const connected = new Promise<void>((resolve) => {
    markConnected = resolve;
  });
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (!url.endsWith("/events") || !response.body) return response;
    markConnected();
    if (!isCut) return response;
    const body = response.body.pipeThrough(cutAfter(CUT_BYTES + 97 * index, () => cuts++));
    return new Response(body, response);
  };
  const client = createStudioClient({ url: address, fetch: send, pausesMs: [5, 50] });
  const events: { readonly id: string; readonly type: string; readonly run: string }[] = [];
  let wake = () => {};
  let isWaiting = false;
  const readLater = async (run: string) => {
    isWaiting = true;
    await setTimeout(CALM_MS);
    isWaiting = false;
    if (signal.aborted) return;
    reads++;
    await readAll(`${address}/api/v1/runs/${run}`, signal).catch(
      (error: unknown) => signal.aborted || failures.push(error),
    );
  };
  const listening = (async () => {
    for await (const event of client.events({ signal })) {
      if (!("run" in event)) continue;
      events.push({ id: event.id, type: event.type, run: event.run });
      if (!isWaiting) void readLater(event.run);
      wake();
    }
  })();
  listening.catch(() => {}); // whoever waits for events gets the error
  return {
    connected: Promise.race([connected, listening]),
    cuts: () => cuts,
    reads: () => {
      if (failures.length > 0) throw failures[0];
      return reads;
    },
    /** Ids of the events of a run, when it has ended. */
    seen: async (run: string): Promise<readonly string[]> => {
      while (!events.some((event) => event.type === "run-ended" && event.run === run)) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([woken, listening]);
      }
      return events.filter((event) => event.run === run).map(({ id }) => id);
    },
  };
}

/** Reads an answer, without the limits of `fetch` for a connection, which a busy machine exceeds. */
function readAll(url: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent: AGENT, signal }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`GET ${url}: ${response.statusCode}`));
      response.on("error", reject);
      response.on("end", resolve);
      response.resume();
    });
    sent.on("error", reject);
  });
}

/** Ends a stream after so many bytes, in the middle of an event. */
function cutAfter(most: number, onCut: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes <= most) return controller.enqueue(chunk);
      controller.enqueue(chunk.slice(0, Math.max(0, chunk.length - (bytes - most))));
      onCut();
      controller.terminate();
    },
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
