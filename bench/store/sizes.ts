import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareRuns } from "../../src/run/compare/mod.ts";
import { openStore } from "../../src/run/store/mod.ts";
import { newResult, newRun, runScript } from "../../tests/run/store/_fixtures.ts";
import { startSqld } from "../../tests/run/store/sqld_server.ts";
import { type Figure, sized } from "../figure.ts";

const RUNS = sized(100, 2);
const RESULTS = sized(1_000, 40);
const SCENARIOS = 20;
const WRITTEN = sized(10_000, 80);
/** Maximum duration of a query in a database with 100,000 results, in milliseconds. */
const MOST_MS = 100;
const TIMES = 5;

/**
 * Several processes write 10,000 results to one run, each result by two of them: how many are
 * missing, and how many are stored twice.
 */
export async function writtenByMany(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-bench-store-"));
  const file = await written(join(folder, "results.db"), sized(8, 2));
  await rm(folder, { recursive: true, force: true });
  const server = await startSqld();
  const remote = await written(server.url, sized(4, 2)).finally(server.stop);
  return [
    ...figuresOf("lost_of_10000", "doubled_of_10000", file, `${sized(8, 2)} processes, one file`),
    ...figuresOf("lost_of_10000_sqld", "doubled_of_10000_sqld", remote, `${sized(4, 2)} processes, one sqld`),
  ];
}

interface Written {
  readonly lost: number;
  readonly doubled: number;
}

async function written(url: string, processes: number): Promise<Written> {
  const share = WRITTEN / processes;
  const ids = await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      runScript("_joiner.ts", [url, "bench", ...[1 + index * share, 2 * share, WRITTEN].map(String)]),
    ),
  );
  await using store = await openStore(url);
  const [id = ""] = ids.map((each) => each.trim());
  const results = await store.listResults({ runId: id, limit: Infinity });
  const { counts } = await store.findRun(id);
  const trials = new Set(results.map(({ trial }) => trial));
  return { lost: WRITTEN - trials.size, doubled: Math.max(results.length, counts.pass) - trials.size };
}

function figuresOf(lost: string, doubled: string, found: Written, who: string): readonly Figure[] {
  const against = `${who}, each result written twice`;
  return [
    { name: lost, value: found.lost, unit: "results", against, bound: 0 },
    { name: doubled, value: found.doubled, unit: "results", against, bound: 0 },
  ];
}

/** Duration of queries in a file of 100,000 results. */
export async function readTimes(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-bench-store-"));
  const store = await openStore(join(folder, "results.db"));
  for (let run = 0; run < RUNS; run++) {
    const { id } = await store.startRun(newRun());
    const added = Array.from({ length: RESULTS }, (_, index) =>
      newResult({ scenario: `call ${index % SCENARIOS}`, trial: 1 + Math.floor(index / SCENARIOS), attempt: 1 }),
    );
    await Promise.all(added.map((result) => store.addResult(id, result)));
    await store.finishRun(id);
  }
  const [head, base] = await store.listRuns({ limit: 2 });
  if (!head || !base) throw new Error("the runs are not there");
  const figure = async (name: string, body: () => Promise<unknown>): Promise<Figure> => ({
    ...{ name, value: await median(body), unit: "ms", bound: MOST_MS },
    against: `${RUNS} runs of ${RESULTS} results in a file, the middle of ${TIMES} times`,
  });
  const figures = [
    await figure("list_ms_100k", async () => {
      await store.listRuns();
      await store.listResults({ status: "pass" });
      await store.listResults({ runId: head.id, scenario: "call 3", status: "pass" });
    }),
    await figure("show_ms_100k", async () => await store.showRun(head.id)),
    await figure("compare_ms_100k", async () => {
      const [before, after] = await Promise.all([base, head].map(({ id }) => store.countResults(id)));
      compareRuns({ run: base, scenarios: before ?? [] }, { run: head, scenarios: after ?? [] });
    }),
  ];
  await store.close();
  await rm(folder, { recursive: true, force: true });
  return figures;
}

async function median(body: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const started = performance.now();
    await body();
    times.push(performance.now() - started);
  }
  return Math.round(times.sort((a, b) => a - b)[Math.floor(TIMES / 2)] ?? 0);
}
