import assert from "node:assert/strict";
import { appendFile, chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createClient } from "@libsql/client";
import { openDatabase } from "../../../src/run/store/database/open_database.ts";
import { openStore, type Store } from "../../../src/run/store/mod.ts";
import { createIdSource } from "../../../src/run/store/repositories.ts";
import { recoverSpool } from "../../../src/run/store/spool/recover.ts";
import { isTrustedSpool, makeSpoolFolder, SpoolFile, spoolFolders } from "../../../src/run/store/spool/spool_file.ts";
import { GRAPH, inFolder, runScript } from "./_fixtures.ts";
import { leaveSpool, unstoredRun } from "./_spools.ts";

const SLOW = { timeout: 120_000 };

async function inSpool(body: (store: Store, spool: string, path: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const store = await openStore(path, { spool: join(folder, "spool") });
    await body(store, join(folder, "spool"), path);
    await store.close();
  });
}

test("recover() writes runs with their graphs and results, once", () =>
  inSpool(async (store, spool, path) => {
    await leaveSpool(spool, path, 3);
    const recovery = await store.recover();
    assert.equal(recovery.results, 3);
    assert.deepEqual(await readdir(spool), []);
    const [runId = ""] = recovery.runs;
    const { run, results, graph } = await store.showRun(runId);
    assert.equal(run.counts.pass, 3);
    assert.equal(results.length, 3);
    assert.deepEqual(graph, GRAPH);
    assert.deepEqual(await store.recover(), { results: 0, runs: [], damaged: 0, unreadable: [], otherDatabases: [] });
  }));

test("a result in both spool and database counts once", () =>
  inSpool(async (store, spool, path) => {
    const file = await leaveSpool(spool, path, 3);
    const text = await readFile(file.path ?? "", "utf8");
    assert.equal((await store.recover()).results, 3);
    await writeFile(join(spool, "again.jsonl"), text);
    const again = await store.recover();
    assert.equal(again.results, 0);
    assert.equal((await store.findRun(again.runs[0] ?? "")).counts.pass, 3);
  }));

test("processes that recover concurrently neither lose nor duplicate results", SLOW, () =>
  inSpool(async (store, spool, path) => {
    for (let i = 0; i < 6; i++) await leaveSpool(spool, path, 20);
    const outputs = await Promise.all(Array.from({ length: 3 }, () => runScript("_recoverer.ts", [path, spool])));
    assert.equal(
      outputs.reduce((sum, output) => sum + Number(output), 0),
      120,
    );
    const runs = await store.listRuns();
    assert.deepEqual(
      runs.map(({ counts }) => counts.pass),
      Array.from({ length: 6 }, () => 20),
    );
    assert.equal((await store.listResults({ limit: Infinity })).length, 120);
    assert.deepEqual(await readdir(spool), []);
  }),
);

test("claiming a spool file of a running process loses nothing", () =>
  inSpool(async (store, spool, path) => {
    const file = await leaveSpool(spool, path, 2);
    const taken = file.path;
    assert.equal((await store.recover()).results, 2);
    const { document, records } = unstoredRun(2);
    await file.append(
      records.map((record) => ({ kind: "result", record })),
      [{ kind: "run", document }],
    );
    assert.notEqual(file.path, taken);
    assert.equal((await store.recover()).results, 2);
    assert.equal((await store.listResults()).length, 4);
  }));

test("a spool file claimed by a crashed process is written by the next one", () =>
  inSpool(async (store, spool, path) => {
    const file = await leaveSpool(spool, path, 2);
    await rename(file.path ?? "", `${file.path}.claimed`);
    assert.equal((await store.recover()).results, 2);
    assert.deepEqual(await readdir(spool), []);
  }));

test("a truncated last line of a spool file is skipped", () =>
  inSpool(async (store, spool, path) => {
    const file = await leaveSpool(spool, path, 2);
    await appendFile(file.path ?? "", '{"result":{"id":"0d9rk6t4h0x7w2');
    const recovery = await store.recover();
    assert.deepEqual([recovery.results, recovery.damaged], [2, 0]);
    assert.deepEqual(await readdir(spool), []);
  }));

test("a spool file with damaged lines is written as far as possible, and kept", () =>
  inSpool(async (store, spool, path) => {
    const file = await leaveSpool(spool, path, 3);
    const lines = (await readFile(file.path ?? "", "utf8")).split("\n");
    lines[2] = '{"result":{"id":"x","runId":"y","status":"splendid"}}';
    lines.splice(3, 0, "not JSON");
    await writeFile(file.path ?? "", lines.join("\n"));
    const recovery = await store.recover();
    assert.deepEqual([recovery.results, recovery.damaged], [2, 2]);
    const [left = ""] = await readdir(spool);
    assert.match(left, /\.jsonl\.left$/);
    assert.equal(await readFile(join(spool, left), "utf8"), lines.join("\n"));
    assert.equal((await store.recover()).damaged, 0);
  }));

test("results are spooled in the next folder when the first is not writable, and recovered from there", () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "full"), ""); // a file where a folder would have to be
    const folders = [join(folder, "full", "spool"), join(folder, "second")];
    const { document, records } = unstoredRun(2);
    const path = join(folder, "results.db");
    const file = new SpoolFile(folders, path, createIdSource());
    const runs = [{ kind: "run", document }] as const;
    for (const record of records) await file.append([{ kind: "result", record }], runs);
    assert.deepEqual(await readdir(join(folder, "second")), [basename(file.path ?? "")]);
    const database = await openDatabase(path, {});
    assert.equal((await recoverSpool(database, folders)).results, 2);
    await database.close();
  }));

test("spool files of other users in the temporary directory are ignored", (t) =>
  inFolder(async (folder) => {
    if (process.platform === "win32") return t.skip("there each user has temporary files of their own");
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      const { kind, url } = { kind: "file", url: "file:/results.db" } as const;
      const [, temporary = ""] = spoolFolders({ kind, url, shown: url, secrets: [] }, undefined);
      assert.equal(dirname(temporary), folder);
      await makeSpoolFolder(temporary);
      assert.equal((await stat(temporary)).mode & 0o777, 0o700);
      assert.ok(isTrustedSpool(temporary));
      await chmod(temporary, 0o777); // as if somebody else had made it for everybody
      assert.ok(!isTrustedSpool(temporary));
      await assert.rejects(makeSpoolFolder(temporary));
      await rm(temporary, { recursive: true });
      await symlink(folder, temporary);
      assert.ok(!isTrustedSpool(temporary));
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  }));

test("an empty file in the spool folder is ignored, one of another database is named, and one of another program reported", () =>
  inSpool(async (store, spool, path) => {
    await mkdir(spool);
    await writeFile(join(spool, "empty.jsonl"), "");
    await writeFile(join(spool, "mine.jsonl"), '{"mine":true}\n');
    await leaveSpool(spool, `${path}.other`, 1);
    const recovery = await store.recover();
    const unreadable = [join(spool, "mine.jsonl")];
    assert.deepEqual(recovery, { results: 0, runs: [], damaged: 0, unreadable, otherDatabases: [`${path}.other`] });
    assert.equal((await readdir(spool)).length, 3);
  }));

test("openStore() recovers the spool unless recover is false", () =>
  inSpool(async (_, spool, path) => {
    await leaveSpool(spool, path, 2);
    await using without = await openStore(path, { spool, recover: false });
    assert.deepEqual(await without.listRuns(), []);
    await using withSpool = await openStore(path, { spool });
    assert.equal(withSpool.status().recovered, 2);
    assert.equal((await without.listRuns()).length, 1);
  }));

test("openStore() reports spool files that could not be read or written", () =>
  inSpool(async (_, spool, path) => {
    const file = await leaveSpool(spool, path, 2);
    const whole = await readFile(file.path ?? "", "utf8");
    await writeFile(file.path ?? "", whole.replace(/^.*/, "garbage"));
    await writeFile(join(spool, "second.jsonl"), whole.replace(/\n.*$/, "\nnot JSON\n{}"));
    await using store = await openStore(path, { spool });
    const left = [file.path, join(spool, "second.jsonl.left")];
    assert.deepEqual([store.status().unreadable.toSorted(), store.status().recoveryError], [left.toSorted(), null]);
    assert.deepEqual((await store.recover()).unreadable.toSorted(), left.toSorted());
    for (const name of await readdir(spool)) await rm(join(spool, name));
    await store.recover();
    assert.deepEqual(store.status().unreadable, []);
    await leaveSpool(spool, path, 2);
    const client = createClient({ url: `file:${path}` });
    await client.execute(
      "CREATE TRIGGER refuse BEFORE INSERT ON callweave_runs BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    client.close();
    await using next = await openStore(path, { spool });
    assert.deepEqual([next.status().recovered, next.status().unreadable], [0, []]);
    assert.match(next.status().recoveryError ?? "", /^Cannot write spool to /);
    assert.equal((await readdir(spool)).length, 1);
  }));
