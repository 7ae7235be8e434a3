import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@libsql/client";
import { openStore } from "../../../src/run/store/mod.ts";
import { AUDIT, inFolder, newResult, newRun, runScript } from "./_fixtures.ts";
import { createOldDatabase, OLD_RESULTS, OLD_RUN } from "./_old_databases.ts";

for (const version of [1, 2] as const)
  test(`a database with schema ${version} opens with its runs and results, and takes new ones`, () =>
    inFolder(async (folder) => {
      const path = join(folder, "results.db");
      await createOldDatabase(path, version);
      await using store = await openStore(path);
      const { run, results } = await store.showRun(OLD_RUN);
      assert.deepEqual(run.counts, { pass: 2, fail: 0, error: 0, imported: 0, cancelled: 0, invalid: 0 });
      assert.deepEqual(
        results.map(({ id, attempt, audit, variance }) => [id, attempt, audit, variance]),
        OLD_RESULTS.map((id) => [id, undefined, undefined, undefined]),
      );
      const { id } = await store.startRun(newRun());
      await store.addResult(id, newResult({ attempt: 1, status: "invalid", audit: AUDIT }));
      await store.setBaseline("main", OLD_RUN);
      const finished = await store.finishRun(id);
      assert.equal(finished.counts.invalid, 1);
      assert.deepEqual((await store.showRun(id)).results[0]?.audit, AUDIT);
    }));

// the processes start at the same time and migrate several files, so that some of them meet at one
test("processes that open old databases at the same time migrate each of them once", { timeout: 120_000 }, () =>
  inFolder(async (folder) => {
    const paths = ["a", "b", "c", "d", "e", "f"].map((name) => join(folder, `${name}.db`));
    for (const path of paths) await createOldDatabase(path, 2);
    const outputs = await Promise.all([1, 2, 3].map(() => runScript("_opener.ts", paths)));
    for (const output of outputs)
      assert.deepEqual(
        output.trim().split(/\s+/),
        paths.map(() => "1"),
      );
    for (const path of paths) {
      const client = createClient({ url: `file:${path}` });
      const { rows } = await client.execute("SELECT version FROM callweave_schema ORDER BY version");
      assert.deepEqual(
        rows.map(({ version }) => version),
        [1, 2, 3],
      );
      client.close();
    }
  }),
);
