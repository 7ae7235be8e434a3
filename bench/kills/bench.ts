import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../src/run/store/mod.ts";
import { type KilledRun, resultsOf, runUntilKilled } from "../../tests/run/runner/_kills.ts";
import { slotName } from "../../tests/run/runner/_resumable.ts";
import { type Figure, sized } from "../figure.ts";

const KILLS = sized(50, 1);
const SHAPE = { scenarios: sized(8, 2), repeat: sized(25, 5), callMs: 40 };
const TRIALS = SHAPE.scenarios * SHAPE.repeat;
/** A process is killed within this time of its start, in which it can run some of the calls. */
const LONGEST_MS = 1_200;

/** Effect of `kill -9` at random moments on the results of runs that are resumed each time. */
export async function* bench(): AsyncIterable<Figure> {
  yield* figuresOf("resumed", await killed(undefined));
  yield* figuresOf("two_shards", await killed(2));
}

interface Outcome {
  readonly kills: number;
  readonly runs: number;
  /** Results that a process reported as stored, but that are missing in the database. */
  readonly lost: number;
  /** Duplicate results of a trial. */
  readonly doubled: number;
  /** Trials without a result, at the end of the runs. */
  readonly missing: number;
}

/** Runs processes and kills them until there were enough kills; each run is completed. */
async function killed(shards: number | undefined): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-bench-kills-"));
  const db = join(folder, "results.db");
  const total = { kills: 0, runs: 0, lost: 0, doubled: 0, missing: 0 };
  while (total.kills < KILLS) {
    total.runs += 1;
    const outcome = await runToItsEnd(db, shards, total.runs, KILLS - total.kills);
    for (const name of ["kills", "lost", "doubled", "missing"] as const) total[name] += outcome[name];
  }
  await rm(folder, { recursive: true, force: true });
  return total;
}

async function runToItsEnd(db: string, shards: number | undefined, run: number, most: number) {
  const parts = Array.from({ length: shards ?? 1 }, (_, index) => index + 1);
  const promised = new Set<string>();
  let left = most;
  let id: string | undefined;
  const runPart = async (index: number): Promise<void> => {
    for (;;) {
      const shared = { joinRun: `run ${run}`, shard: { index, total: parts.length } };
      const own = id === undefined ? {} : { resume: id };
      const outcome = await runUntilKilled({ db, ...SHAPE, ...(shards ? shared : own) } satisfies KilledRun, (kill) => {
        if (left > 0) void sleep(Math.random() * LONGEST_MS).then(kill);
      });
      id ??= outcome.id;
      for (const stored of outcome.stored) promised.add(stored);
      if (outcome.isDone) return;
      left -= 1;
    }
  };
  await Promise.all(parts.map(runPart));
  const results = await resultsOf(db, id ?? "");
  const found = new Set(results.map((result) => result.id));
  const slots = new Set(results.map(slotName));
  await using store = await openStore(db);
  const isFinished = (await store.findRun(id ?? "")).finishedAt !== null;
  return {
    kills: most - left,
    lost: [...promised].filter((each) => !found.has(each)).length,
    doubled: results.length - slots.size,
    missing: TRIALS - slots.size + (isFinished ? 0 : TRIALS),
  };
}

function figuresOf(name: string, { kills, runs, lost, doubled, missing }: Outcome): readonly Figure[] {
  const against = `${kills} times kill -9 in ${runs} runs of ${TRIALS} calls`;
  return Object.entries({ lost, doubled, missing }).map(([what, value]) => ({
    ...{ name: `${what}_${name}`, value, unit: "results", against, bound: 0 },
  }));
}
