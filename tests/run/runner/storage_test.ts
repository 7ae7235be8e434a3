import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { StoreError } from "../../../src/base/errors.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { type ResultPlace, run } from "../../../src/run/runner/mod.ts";
import { openStore, type Store } from "../../../src/run/store/mod.ts";
import { openStoreByClock } from "../../../src/run/store/open.ts";
import { formatJson, formatJunit, formatReport } from "../../../src/surface/reporters/mod.ts";
import { TestClock } from "../../test_clock.ts";
import { inFolder } from "../store/_fixtures.ts";
import { CHAT } from "./_fixtures.ts";

const names = ["a", "b", "c", "d"] as const;
const scenarios = names.map((name) => ({ name, says: ["Hi"], excludes: ["Goodbye"] }));
const models = () => ({ agent: scripted({ respond: names.map(() => "Hello") }) });

/** A store in a folder; `harm` is called when the second call begins. */
async function runWith(harm: (path: string) => Promise<void>, mend: (path: string) => Promise<void> = async () => {}) {
  const told: ResultPlace[] = [];
  let text = { console: "", junit: "", json: "" };
  let stored: readonly string[] = [];
  let report: Awaited<ReturnType<typeof run>> | undefined;
  await inFolder(async (folder) => {
    const path = join(folder, "data", "results.db");
    const clock = new TestClock();
    const store = await openStoreByClock(path, { spool: join(folder, "spool") }, clock);
    const running = run(CHAT, scenarios, {
      models: models(),
      store,
      limits: { concurrency: 1 },
      createCaller: ({ name }) => ({
        next: async () => {
          if (name === "b") await harm(path);
          return { hangUp: "caller_ended" };
        },
      }),
      listeners: { onResult: ({ place }) => told.push(place) },
    });
    const outcome = await clock.runUntil(running, 5_000);
    assert.ok(outcome.status === "fulfilled");
    report = outcome.value;
    text = { console: formatReport(report), junit: formatJunit(report), json: formatJson(report) };
    assert.equal(existsSync(report.spoolFile ?? folder), true);
    await store.close();
    await mend(path);
    await using next = await openStore(path, { spool: join(folder, "spool") });
    stored = (await next.listResults({ runId: report.id })).map(({ scenario }) => scenario).toReversed();
  });
  assert.ok(report);
  return { report, told, text, stored };
}

test("calls do not wait for the database: the next one starts while a result is being stored", async () => {
  await using opened = await openStore(":memory:");
  let release = (): void => {};
  const lastCall = new Promise<void>((resolve) => {
    release = resolve;
  });
  const store: Store = {
    ...opened,
    addResult: async (...args) => {
      await lastCall;
      return await opened.addResult(...args);
    },
  };
  const report = await run(CHAT, scenarios, {
    models: models(),
    store,
    limits: { concurrency: 1 },
    listeners: {
      onProgress: (event) => {
        if (event.kind === "call-start" && event.scenario === "d") release();
      },
    },
  });
  assert.equal(report.stored, 4);
  assert.equal((await opened.listResults({ runId: report.id })).length, 4);
});

test("a run whose database file is deleted writes every result to a new one, and says so", async () => {
  const { report, told, text, stored } = await runWith((path) => rm(path));
  assert.deepEqual(stored, [...names]);
  assert.deepEqual(told, ["stored", "stored", "stored", "stored"]);
  assert.deepEqual([report.stored, report.spooled, report.lost, report.storeError], [4, 0, 0, null]);
  assert.equal(report.storeWarnings.length, 1);
  for (const each of Object.values(text)) assert.match(each.replace(/\s+/g, " "), /deleted or replaced during the run/);
});

test("a run whose database becomes unreachable counts stored and spooled results, and loses none", async () => {
  const { report, told, text, stored } = await runWith(
    async (path) => {
      await rm(path);
      await mkdir(path); // a folder in its place
    },
    (path) => rm(path, { recursive: true }),
  );
  assert.deepEqual(told, ["stored", "spooled", "spooled", "spooled"]);
  // what the file had taken was lost with it
  assert.deepEqual([report.stored, report.spooled, report.lost], [0, 4, 0]);
  assert.match(report.storeError ?? "", /the result is in the spool file/);
  assert.match(text.console, /0 of 4 results in/);
  assert.match(text.console.replace(/\s+/g, " "), /4 in the spool file .*: "callweave runs recover" writes them/);
  assert.match(text.junit, /<property name="spooled" value="4"\/>/);
  assert.match(text.junit, /<system-err>[^<]*4 in the spool file/);
  assert.equal(JSON.parse(text.json).spooled, 4);
  assert.deepEqual(stored, [...names]);
});

test("a run that cannot store results keeps them in its report, and says so", async () => {
  await using opened = await openStore(":memory:");
  const store: Store = {
    ...opened,
    addResult: async () => {
      throw new StoreError("Cannot store result: the disk is full; the spool file cannot be written either: ENOSPC", {
        code: "store-failed",
        hint: "Make room",
      });
    },
  };
  const report = await run(CHAT, scenarios, { models: models(), store });
  assert.deepEqual([report.stored, report.spooled, report.lost, report.results.length], [0, 0, 4, 4]);
  assert.match(report.storeError ?? "", /the disk is full/);
  assert.match(formatReport(report), /4 NOT KEPT: neither the database nor the spool has them/);
  assert.match(formatJunit(report), /<property name="lost" value="4"\/>/);
});

test("a run that has lost a result stays unfinished, and is finished when it is resumed", async () => {
  await using opened = await openStore(":memory:");
  const full = new StoreError("Cannot store result: the disk is full", { code: "store-failed", hint: "Make room" });
  const store: Store = {
    ...opened,
    addResult: async (runId, result, wait) => {
      if (result.scenario === "b") throw full;
      return await opened.addResult(runId, result, wait);
    },
  };
  const options = { models: models(), share: { codeVersion: "one" } };
  const report = await run(CHAT, scenarios, { ...options, store });
  assert.deepEqual([report.stored, report.lost], [3, 1]);
  assert.equal((await opened.findRun(report.id)).finishedAt, null);
  const resumed = await run(CHAT, scenarios, {
    ...options,
    store: opened,
    share: { ...options.share, resume: report.id },
  });
  assert.deepEqual([resumed.stored, resumed.lost], [4, 0]);
  assert.notEqual((await opened.findRun(report.id)).finishedAt, null);
  assert.ok(
    formatReport(report).replace(/\s+/g, " ").includes(`"callweave run --resume ${report.id}" runs their calls`),
  );
});

test("a run writes missing results when the database is available again at its end", async () => {
  const { report, told, stored } = await runWith(async (path) => {
    const data = dirname(path);
    await rm(data, { recursive: true });
  });
  assert.deepEqual(told, ["stored", "stored", "stored", "stored"]);
  assert.deepEqual([report.stored, report.spooled], [4, 0]);
  assert.deepEqual(stored, [...names]);
});
