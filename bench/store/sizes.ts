import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/store/mod.ts";
import { newResult, newRun, runWriter } from "../../tests/store/_fixtures.ts";
import type { Figure } from "../figure.ts";

const RUNS = 100;
const RESULTS = 1_000;

/** Results that four processes wrote to one file at the same time, and that are not there. */
export async function lostOf10000(): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-bench-store-"));
  const path = join(folder, "results.db");
  await Promise.all(Array.from({ length: 4 }, () => runWriter([path, "5", "500"])));
  const store = await openStore(path);
  const found = (await store.listRuns({ limit: Infinity })).reduce((sum, { counts }) => sum + counts.pass, 0);
  await store.close();
  await rm(folder, { recursive: true, force: true });
  return { name: "lost_of_10000", value: 10_000 - found, unit: "results", against: "4 processes, one file", bound: 0 };
}

/** How long it takes to look into a file of 100,000 results. */
export async function readTimes(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-bench-store-"));
  const store = await openStore(join(folder, "results.db"));
  let id = "";
  for (let run = 0; run < RUNS; run++) {
    ({ id } = await store.startRun(newRun()));
    await Promise.all(Array.from({ length: RESULTS }, (_, trial) => store.addResult(id, newResult({ trial }))));
    await store.finishRun(id);
  }
  const against = `${RUNS} runs of ${RESULTS} results in a file`;
  const list = await elapsed(async () => {
    await store.listRuns();
    await store.listResults({ status: "pass" });
  });
  const show = await elapsed(async () => void (await store.showRun(id)));
  await store.close();
  await rm(folder, { recursive: true, force: true });
  return [
    { name: "list_ms_100k", value: list, unit: "ms", against },
    { name: "show_ms_100k", value: show, unit: "ms", against },
  ];
}

async function elapsed(body: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await body();
  return Math.round(performance.now() - started);
}
