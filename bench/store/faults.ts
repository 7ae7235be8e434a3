import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { scripted } from "../../src/call/models/mod.ts";
import { parseGraph } from "../../src/document/graph/mod.ts";
import { type RunReport, run } from "../../src/run/runner/mod.ts";
import { openStore } from "../../src/run/store/mod.ts";
import { startSqld } from "../../tests/run/store/sqld_server.ts";
import { sized } from "../figure.ts";

const CALLS = sized(400, 16);
/** Eight at a time: the run lasts 12.5 s. */
const CALL_MS = sized(250, 20);
/** Milliseconds of a fault. */
const faultMs = (full: number) => sleep(sized(full, Math.ceil(full / 500)));

const graph = parseGraph({
  entry_node_id: "chat",
  source_metadata: { begin_message: "Hello" },
  nodes: { chat: { node_type: "conversation", state_prompt: "Chat." } },
});

/** The effect of a fault on the results of a run. */
export interface FaultOutcome {
  readonly report: RunReport;
  /** Results that are only in the report, after `recover()`. */
  readonly lost: number;
  /** Results that the report counts as stored, but that were missing in the database before `recover()`. */
  readonly miscounted: number;
  /** Number of results that `recover()` has written. */
  readonly recovered: number;
  readonly wallMs: number;
}

interface Setting {
  /** The path or the URL of the database. */
  readonly url: string;
  readonly spool: string;
  /** Causes the fault while the calls run. */
  readonly fault: () => Promise<void>;
  /** Ends the fault after the run. */
  readonly mend: () => Promise<void>;
}

/** A run of 400 calls on a failing database. */
async function runWith({ url, spool, fault, mend }: Setting): Promise<FaultOutcome> {
  const store = await openStore(url, { spool });
  const scenarios = Array.from({ length: CALLS }, (_, index) => ({ name: `call ${index + 1}`, excludes: ["Goodbye"] }));
  const started = performance.now();
  let faulty: Promise<void> | undefined;
  const report = await run(graph, scenarios, {
    models: { agent: scripted({}) },
    store,
    limits: { concurrency: 8 },
    createCaller: () => ({
      next: async () => {
        faulty ??= fault(); // not before the run is stored
        await sleep(CALL_MS);
        return { hangUp: "caller_ended" };
      },
    }),
  });
  const wallMs = performance.now() - started;
  await faulty;
  await mend();
  await store.close();
  await using after = await openStore(url, { spool, recover: false });
  const stored = async () =>
    new Set((await after.listResults({ runId: report.id, limit: Infinity })).map(({ id }) => id));
  const before = await stored();
  const { results: recovered } = await after.recover();
  const now = await stored();
  return {
    report,
    lost: report.results.filter(({ id }) => !now.has(id)).length,
    miscounted: Math.max(0, report.stored - before.size),
    recovered,
    wallMs,
  };
}

async function inFolder<Result>(body: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-bench-store-"));
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** No fault. */
export async function undisturbed(): Promise<FaultOutcome> {
  return await inFolder(async (folder) => {
    const server = await startSqld();
    const idle = async () => {};
    return await runWith({ url: server.url, spool: join(folder, "spool"), fault: idle, mend: idle }).finally(
      server.stop,
    );
  });
}

/** The server is killed five times, for one second each. */
export async function killedFiveTimes(): Promise<FaultOutcome> {
  return await inFolder(async (folder) => {
    const server = await startSqld();
    const fault = async () => {
      for (let times = 0; times < 5; times++) {
        await faultMs(1_000);
        await server.kill();
        await faultMs(1_000);
        await server.restart();
      }
    };
    const mend = async () => {};
    return await runWith({ url: server.url, spool: join(folder, "spool"), fault, mend }).finally(server.stop);
  });
}

/** The server is killed in the middle and restarted after the run. */
export async function gone(): Promise<FaultOutcome> {
  return await inFolder(async (folder) => {
    const server = await startSqld();
    const fault = async () => {
      await faultMs(3_000);
      await server.kill();
    };
    const mend = async () => await server.restart();
    return await runWith({ url: server.url, spool: join(folder, "spool"), fault, mend }).finally(server.stop);
  });
}

/** The server is suspended for a minute. */
export async function frozenForAMinute(): Promise<FaultOutcome> {
  return await inFolder(async (folder) => {
    const server = await startSqld();
    const fault = async () => {
      await faultMs(2_000);
      server.suspend();
      await faultMs(60_000);
      server.resume();
    };
    const mend = async () => {};
    return await runWith({ url: server.url, spool: join(folder, "spool"), fault, mend }).finally(server.stop);
  });
}

/** The database file is deleted in the middle. */
export async function deleted(): Promise<FaultOutcome> {
  return await inFolder(async (folder) => {
    const url = join(folder, "results.db");
    const fault = async () => {
      await faultMs(5_000);
      for (const ending of ["", "-wal", "-shm"]) await rm(url + ending, { force: true });
    };
    return await runWith({ url, spool: join(folder, "spool"), fault, mend: async () => {} });
  });
}
