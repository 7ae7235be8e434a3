import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { openQueue, startWorker } from "../../../src/run/worker/mod.ts";
import { startChatServer } from "../../chat_server.ts";
import { withEnvironment } from "../../environment.ts";
import { needsProgram } from "../../programs.ts";
import { isInstalled, ownStart, ROOT, RUNTIMES } from "../../surface/cli/_process.ts";
import { startRedis, type TestRedis } from "./_redis.ts";

const graph = parseGraph({
  entry_node_id: "bye",
  nodes: { bye: { node_type: "end", state_prompt: "Say goodbye." } },
});
const scenarios = ["a", "b", "c"].map((name) => ({ name, says: ["Hi"], ends: "agent_ended" as const }));

/** Starts `callweave worker`, on Bun where it is installed, because it starts fastest. */
function startProgram(args: readonly string[], env: { readonly [name: string]: string }) {
  const [command = "", ...rest] = (isInstalled("bun") ? RUNTIMES.bun : undefined) ?? ownStart();
  const main = join(ROOT, "src", "surface", "cli", "main.ts");
  const child = spawn(command, [...rest, main, "worker", ...args], {
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const STALLED_MS = 3_600_000;

/** Lets the time pass after which workers count as lost, and which they leave between two looks for lost ones. */
async function expireHeartbeats(redis: TestRedis): Promise<void> {
  const times = await redis.expire();
  assert.ok(times.length > 0);
  for (const ms of times) assert.ok(ms > STALLED_MS / 2 && ms <= STALLED_MS, `${ms} ms`);
}

/** Runs a worker until it has run a number of calls. */
async function runWaiting(url: string, store: string, calls: number): Promise<void> {
  let open = calls;
  let done = () => {};
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const onResult = () => {
    open -= 1;
    if (open === 0) done();
  };
  await using _ = await startWorker(url, { store, stalledMs: STALLED_MS, onResult });
  await all;
}

test("a worker that is killed in the middle of a call loses nothing: another one runs the call, and each result is stored once", {
  ...needsProgram("redis-server"),
  timeout: 120_000,
}, async () => {
  let asked = () => {};
  const arrived = new Promise<void>((resolve) => {
    asked = resolve;
  });
  await using server = await startChatServer((_, index) => {
    if (index > 0) return { say: "Goodbye!" };
    asked();
    return "hang";
  });
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "none-needed-here" };
  await using redis = await startRedis();
  const store = join(redis.folder, "results.db");
  await (await openStore(store)).close(); // migrated before two processes open it
  await using queue = await openQueue(redis.url);
  const running = run(graph, scenarios, { store, share: { queue }, models: { agent: "openai/test" } });

  const worker = startProgram(
    ["--queue", redis.url, "--db", store, "--concurrency", "1", "--stalled-after", "3600"],
    env,
  );
  try {
    await arrived; // the call is in the middle of its first request
  } finally {
    await worker.kill();
  }
  await withEnvironment(env, async () => {
    await expireHeartbeats(redis);
    await runWaiting(redis.url, store, 2); // this worker's first look finds the call that nobody works on
    await expireHeartbeats(redis);
    await using _ = await startWorker(redis.url, { store, stalledMs: STALLED_MS }); // its first look frees that call
    const report = await running;
    assert.deepEqual([report.counts.pass, report.storeError], [3, null], JSON.stringify(report.counts));
    await using opened = await openStore(store);
    const { results } = await opened.showRun(report.id);
    assert.deepEqual(results.map(({ scenario, trial, attempt }) => `${scenario}/${trial}/${attempt ?? 1}`).sort(), [
      "a/1/1",
      "b/1/1",
      "c/1/1",
    ]);
  });
});
