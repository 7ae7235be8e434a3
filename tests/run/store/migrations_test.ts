import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@libsql/client";
import { MIGRATIONS } from "../../../src/run/store/database/open_database.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { inFolder, newResult, newRun, runScript } from "./_fixtures.ts";
import { migrateTo, NEXT } from "./_made_up.ts";

/** A database of this version with a run and a result; returns the run's id. */
async function createDatabase(path: string): Promise<string> {
  await using store = await openStore(path);
  const { id } = await store.startRun(newRun());
  await store.addResult(id, newResult());
  return id;
}

/** The texts of the first column of a query. */
async function column(path: string, sql: string): Promise<readonly string[]> {
  const client = createClient({ url: `file:${path}` });
  try {
    return (await client.execute(sql)).rows.map((row) => String(row[0]));
  } finally {
    client.close();
  }
}

const VERSIONS = "SELECT version FROM callweave_schema ORDER BY version";
const versionsOf = (migrations: readonly unknown[]) => migrations.map((_, index) => String(index + 1));

test("a database is migrated by every migration that it lacks, in order, and keeps its rows", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const id = await createDatabase(path);
    assert.deepEqual(await column(path, VERSIONS), versionsOf(MIGRATIONS));
    await migrateTo(path, NEXT.slice(0, -1));
    assert.deepEqual(await column(path, VERSIONS), versionsOf(NEXT.slice(0, -1)));
    await migrateTo(path, NEXT);
    await migrateTo(path, NEXT);
    assert.deepEqual(await column(path, VERSIONS), versionsOf(NEXT));
    assert.deepEqual(await column(path, "SELECT name FROM callweave_teams"), ["nobody"]);
    assert.deepEqual(await column(path, "SELECT id FROM callweave_runs WHERE pass = 1"), [id]);
    await assert.rejects(openStore(path), {
      code: "store-unavailable",
      message: new RegExp(`newer Callweave \\(schema ${NEXT.length}, this one`),
    });
  }));

test("a migration that fails changes nothing", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const id = await createDatabase(path);
    await assert.rejects(migrateTo(path, [...NEXT, ["ALTER TABLE callweave_nothing ADD COLUMN a TEXT"]]));
    assert.deepEqual(await column(path, VERSIONS), versionsOf(MIGRATIONS));
    assert.deepEqual(await column(path, "SELECT name FROM sqlite_master WHERE name = 'callweave_teams'"), []);
    await using store = await openStore(path);
    assert.equal((await store.findRun(id)).id, id);
  }));

test("a database of the first version gets the facts and counts of the calls that it has", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const [first = [], ...later] = MIGRATIONS;
    await migrateTo(path, [first]);
    const { id, run_id: run } = { id: "0000000000000000000a", run_id: "0000000000000000000b" };
    const verdicts = JSON.stringify([
      { criterion: "one", score: 1, passed: true, confidence: 0.9 },
      { criterion: "other", score: 0.5, passed: false },
    ]);
    const client = createClient({ url: `file:${path}` });
    const details = (result: string, text: string, checks: string) => ({
      sql: "INSERT INTO callweave_result_details VALUES (?, '[]', ?, ?, '[]', '[]', '{}', '{}', NULL)",
      args: [result, text, checks],
    });
    const result = (of: string) => ({
      sql: "INSERT INTO callweave_results VALUES (?, ?, 'greets', 1, NULL, 'fail', '', 1, 1, NULL, NULL)",
      args: [of, run],
    });
    await client.batch([
      "INSERT INTO callweave_graphs VALUES ('f', '{}')",
      {
        sql: "INSERT INTO callweave_runs (id, kind, started_at, agent, graph_fingerprint, models, options) VALUES (?, 'simulated', '', 'a', 'f', '{}', '{}')",
        args: [run],
      },
      result(id),
      details(id, verdicts, '[{"passed":true}]'),
      result(`${id}a`),
      details(`${id}a`, "damaged", "[]"),
    ]);
    client.close();
    await migrateTo(path, [first, ...later]);
    const facts =
      "SELECT json_array(score, confidence, judged, checked, indexed) FROM callweave_call_facts ORDER BY id";
    assert.deepEqual(await column(path, facts), ["[0.75,0.9,0,1,0]", "[null,null,null,null,0]"]);
    await using store = await openStore(path);
    const [{ criteria } = { criteria: [] }] = await store.countResults(run);
    assert.deepEqual(criteria, [
      { criterion: "one", trials: 1, passes: 1, agrees: 0, meanScore: 1 },
      { criterion: "other", trials: 1, passes: 0, agrees: 1, meanScore: 0.5 },
    ]);
  }));

test("the last migration is the schema of this version", () =>
  inFolder(async (folder) => {
    assert.equal(MIGRATIONS.length, 4);
    const path = join(folder, "results.db");
    await migrateTo(path, MIGRATIONS);
    const id = await createDatabase(path);
    assert.deepEqual(await column(path, "SELECT id FROM callweave_runs"), [id]);
  }));

// the processes start at the same time and migrate several files, so that some of them meet at one
test("processes that open older databases at the same time migrate each of them once", { timeout: 120_000 }, () =>
  inFolder(async (folder) => {
    const paths = ["a", "b", "c", "d", "e", "f"].map((name) => join(folder, `${name}.db`));
    for (const path of paths) await createDatabase(path);
    await Promise.all([1, 2, 3].map(() => runScript("_migrator.ts", paths)));
    for (const path of paths) assert.deepEqual(await column(path, VERSIONS), versionsOf(NEXT));
  }),
);
