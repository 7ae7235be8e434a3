import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseGraph } from "../../src/document/graph/mod.ts";
import { run } from "../../src/run/runner/mod.ts";
import { openStore } from "../../src/run/store/mod.ts";
import { openQueue } from "../../src/run/worker/mod.ts";
import { startChatServer } from "../../tests/chat_server.ts";
import { startRedis } from "../../tests/run/worker/_redis.ts";
import { ROOT, RUNTIMES } from "../../tests/surface/cli/_process.ts";
import { type Figure, sized } from "../figure.ts";

const KILLS = sized(50, 1);
const WORKERS = 2;
const TRIALS = sized(1_000, 20);
const CALL_MS = 100;
/** A worker is killed within this time of its start. */
const LONGEST_MS = 3_000;

/** Effect of `kill -9` of workers at random moments on the results of a run with a queue. */
export async function* bench(): AsyncIterable<Figure> {
  await using server = await startChatServer(() => ({ say: "Goodbye!" }), { beforeReply: () => sleep(CALL_MS) });
  await using redis = await startRedis();
  const env = { ...process.env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "none-needed-here" };
  const db = join(redis.folder, "results.db");
  await (await openStore(db)).close();
  await using queue = await openQueue(redis.url);
  const graph = parseGraph({
    entry_node_id: "bye",
    nodes: { bye: { node_type: "end", state_prompt: "Say goodbye." } },
  });
  const scenarios = [{ name: "bye", says: ["Hi"], ends: "agent_ended" as const }];
  let isOver = false;
  let kills = 0;
  const running = run(graph, scenarios, {
    store: db,
    share: { queue },
    repeat: { times: TRIALS },
    models: { agent: "openai/test" },
  });
  const keepWorking = async () => {
    while (!isOver) {
      const [command = "", ...rest] = RUNTIMES.bun ?? [];
      const flags = ["--queue", redis.url, "--db", db, "--concurrency", "2", "--stalled-after", "1"];
      const main = join(ROOT, "src", "surface", "cli", "main.ts");
      const child = spawn(command, [...rest, main, "worker", ...flags], { env, stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("close", resolve));
      if (kills < KILLS) {
        kills += 1;
        await sleep(Math.random() * LONGEST_MS);
      } else await running;
      child.kill("SIGKILL");
      await ended;
    }
  };
  const working = Array.from({ length: WORKERS }, keepWorking);
  const report = await running.finally(() => {
    isOver = true;
  });
  await Promise.all(working);
  await using store = await openStore(db);
  const { results } = await store.showRun(report.id);
  const trials = new Set(results.map(({ trial, attempt }) => `${trial}/${attempt ?? 1}`));
  const against = `${kills} times kill -9 of ${WORKERS} workers in a run of ${TRIALS} calls`;
  const counts = {
    missing_queued: TRIALS - trials.size,
    doubled_queued: results.length - trials.size,
    not_passed_queued: TRIALS - report.counts.pass,
  };
  for (const [name, value] of Object.entries(counts)) yield { name, value, unit: "results", against, bound: 0 };
}
