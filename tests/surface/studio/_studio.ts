import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareChat } from "../../../src/surface/chat/mod.ts";
import { openStudioData, type StudioData } from "../../../src/surface/studio/data/mod.ts";
import { pageFiles, type ServerOptions, startServer } from "../../../src/surface/studio/server/mod.ts";
import { GRAPH, newResult, newRun } from "../../run/store/_fixtures.ts";

/** A studio of a test. */
export interface TestStudio {
  readonly folder: string;
  readonly data: StudioData;
  /** Without a slash at the end. */
  readonly address: string;
  readonly port: number;
  /** Errors that the server did not expect. */
  readonly errors: unknown[];
}

/** Calls with a server over an empty database in a folder of its own. */
export async function withStudio(
  body: (studio: TestStudio) => Promise<void>,
  options: Partial<ServerOptions> & { readonly before?: (data: StudioData, folder: string) => Promise<void> } = {},
): Promise<void> {
  const { before, ...given } = options;
  const folder = await mkdtemp(join(tmpdir(), "callweave-studio-"));
  const errors: unknown[] = [];
  const data = await openStudioData(join(folder, "results.db"), { spool: false });
  try {
    await before?.(data, folder);
    const server = await startServer(data, {
      port: 0,
      access: { localName: "ana" },
      page: pageFiles({ html: "<!doctype html><title>page</title>", script: "1", style: "" }),
      question: undefined,
      environments: {
        names: [],
        formatOf: () => null,
        targetOf: () => {
          throw new Error("there is no environment");
        },
      },
      prepareChat: async ({ graph, name, variables }, signal) =>
        await prepareChat({ graph, name }, { models: { agent: "offline" } }, { variables, mocks: [] }, signal),
      startRun: undefined,
      folder,
      version: "1.2.3",
      pollMs: 20,
      onError: (error) => errors.push(error),
      ...given,
    });
    try {
      const address = server.address.replace(/\/$/, "");
      await body({ folder, data, address, port: Number(new URL(address).port), errors });
    } finally {
      await server.close();
    }
  } finally {
    await data[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Writes an agent as JSON; returns what the studio is asked to load. */
export async function agentFile(folder: string, prompt = "Say goodbye.") {
  const path = join(folder, "farewell.json");
  const graph = {
    version: "0.1.0",
    nodes: {
      greet: {
        node_type: "conversation",
        state_prompt: "Greet the caller.",
        transitions: [{ target_node_id: "bye", condition: { type: "llm_prompt", value: "Caller says goodbye" } }],
      },
      bye: { node_type: "end", state_prompt: prompt },
    },
    entry_node_id: "greet",
  };
  await writeFile(path, JSON.stringify(graph));
  return { path, exportName: undefined, format: undefined, scenarioFiles: [] };
}

/** Stores a finished run with results of statuses; returns the ids of the run and its calls. */
export async function storedRun(
  { store }: StudioData,
  statuses: readonly ("pass" | "fail")[],
  changes: Parameters<typeof newRun>[0] = {},
): Promise<{ readonly run: string; readonly calls: readonly string[] }> {
  const { id: run } = await store.startRun(newRun({ graph: GRAPH, ...changes }));
  const calls: string[] = [];
  for (const [index, status] of statuses.entries()) {
    const { id } = await store.addResult(run, newResult({ status, trial: index + 1, attempt: 1 }));
    calls.push(id);
  }
  await store.finishRun(run);
  return { run, calls };
}

/** An answer of {@link raw}. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly text: string;
}

/** Sends a request exactly as given: `fetch` would change the host, the origin and the path. */
export function raw(
  port: number,
  path: string,
  options: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {},
): Promise<RawAnswer> {
  const { method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
