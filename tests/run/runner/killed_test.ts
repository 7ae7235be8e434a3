import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openStore } from "../../../src/run/store/mod.ts";
import { sampled } from "../../fast_check.ts";
import { inFolder } from "../store/_fixtures.ts";
import { resultsOf, runUntilKilled } from "./_kills.ts";
import { manyScenarios, slotName } from "./_resumable.ts";

const SLOW = { timeout: 120_000 };
const SCENARIOS = 5;
const REPEAT = 4;
const ALL = manyScenarios(SCENARIOS).flatMap(({ name }) =>
  Array.from({ length: REPEAT }, (_, index) => slotName({ scenario: name, trial: index + 1 })),
);
/** Events at which a process kills itself: before its first call, during calls, and while results are stored. */
const KILL_EVENTS = [9, 1, 22, 14];
const KILLS = KILL_EVENTS.slice(0, sampled(KILL_EVENTS.length));

test("a run that is killed several times loses and repeats no stored result when it is resumed", SLOW, () =>
  inFolder(async (folder) => {
    const db = join(folder, "results.db");
    const shape = { db, scenarios: SCENARIOS, repeat: REPEAT };
    let id = "";
    const promised = new Set<string>();
    for (const killAt of [...KILLS, undefined]) {
      const resume = id === "" ? {} : { resume: id };
      const outcome = await runUntilKilled({ ...shape, ...resume, ...(killAt === undefined ? {} : { killAt }) });
      assert.equal(outcome.isDone, killAt === undefined);
      id ||= outcome.id ?? "";
      for (const stored of outcome.stored) promised.add(stored);
      const results = await resultsOf(db, id);
      const found = new Set(results.map((result) => result.id));
      assert.deepEqual(
        [...promised].filter((each) => !found.has(each)),
        [],
        "stored results are still there",
      );
      assert.equal(new Set(results.map(slotName)).size, results.length, "no trial is stored twice");
    }
    assert.deepEqual((await resultsOf(db, id)).map(slotName).sort(), [...ALL].sort());
  }),
);

test("shards that are killed and started again make up the whole run", SLOW, () =>
  inFolder(async (folder) => {
    const db = join(folder, "results.db");
    const runPart = async (index: number, killAt?: number) =>
      await runUntilKilled({
        ...{ db, scenarios: SCENARIOS, repeat: REPEAT, joinRun: "build", shard: { index, total: 2 } },
        ...(killAt === undefined ? {} : { killAt }),
      });
    const kills = [() => runPart(1, 8), () => runPart(2, 5)].slice(0, sampled(2));
    const killed = await Promise.all(kills.map((kill) => kill()));
    const ended = await Promise.all([runPart(1), runPart(2)]);
    assert.deepEqual([killed.some(({ isDone }) => isDone), ended.every(({ isDone }) => isDone)], [false, true]);
    await using store = await openStore(db);
    const [run, ...others] = await store.listRuns();
    assert.deepEqual([others, run?.finishedAt === null], [[], false]);
    const results = await resultsOf(db, run?.id ?? "");
    assert.deepEqual(results.map(slotName).sort(), [...ALL].sort());
    const found = new Set(results.map(({ id }) => id));
    assert.ok([...killed, ...ended].flatMap(({ stored }) => stored).every((id) => found.has(id)));
  }),
);
