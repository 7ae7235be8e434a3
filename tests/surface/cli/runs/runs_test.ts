import assert from "node:assert/strict";
import { readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@libsql/client";
import { openStore } from "../../../../src/run/store/mod.ts";
import { formatReport } from "../../../../src/surface/reporters/mod.ts";
import { newResult, newRun } from "../../../run/store/_fixtures.ts";
import { leaveSpool } from "../../../run/store/_spools.ts";
import { ROOT, runFile } from "../_process.ts";
import { callweave, folder } from "../_terminal.ts";

const SLOW = { timeout: 120_000 };

const FLOW = `import { flow, scenario } from ${JSON.stringify(join(ROOT, "mod.ts"))};
  export const graph = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
  export const scenarios = [scenario("ends", graph).says("Hello?").ends("agent_ended")];`;

/** How many rows each table has. */
async function rowsIn(path: string): Promise<Readonly<Record<string, number>>> {
  const client = createClient({ url: `file:${path}` });
  const tables = ["runs", "results", "result_details", "graphs"];
  const counts = tables.map(async (name) => {
    const { rows } = await client.execute(`SELECT count(*) AS count FROM callweave_${name}`);
    return [name, Number(rows[0]?.count)] as const;
  });
  const found = Object.fromEntries(await Promise.all(counts));
  client.close();
  return found;
}

test("runs delete removes a run, its results, and its graph if no other run uses it", async () => {
  const path = join(folder(), "results.db");
  const store = await openStore(path, { spool: false });
  const kept = await store.startRun(newRun());
  const gone = await store.startRun(newRun());
  for (const { id } of [kept, gone, gone]) await store.addResult(id, newResult());
  await store.close();

  const { code, out } = await callweave(["runs", "delete", gone.id, "--db", path]);
  assert.equal(code, 0);
  assert.equal(out, `deleted run ${gone.id} of farewell with 2 results\n`);
  assert.deepEqual(await rowsIn(path), { runs: 1, results: 1, result_details: 1, graphs: 1 });

  const last = await callweave(["runs", "delete", kept.id.slice(0, 14), "--db", path, "--json"]);
  assert.equal(JSON.parse(last.out).id, kept.id);
  assert.deepEqual(await rowsIn(path), { runs: 0, results: 0, result_details: 0, graphs: 0 });
});

test("runs delete deletes nothing for an unknown or ambiguous id", async () => {
  const path = join(folder(), "results.db");
  const store = await openStore(path, { spool: false });
  const ids = [(await store.startRun(newRun())).id, (await store.startRun(newRun())).id];
  await store.close();
  for (const id of ["zzzz", ids[0]?.slice(0, 4) ?? ""]) {
    const { code, err } = await callweave(["runs", "delete", id, "--db", path]);
    assert.equal(code, 2);
    assert.match(err, /^error\[unknown-run\]/);
  }
  assert.equal((await rowsIn(path)).runs, 2);
});

test("runs recover writes the spool files of its folder and lists the runs", SLOW, async () => {
  const cwd = folder();
  const spool = join(cwd, ".callweave", "spool");
  const path = join(cwd, ".callweave", "results.db");
  await leaveSpool(spool, path, 3);
  await leaveSpool(spool, "elsewhere.example.com/", 1);
  const first = await runFile(join(ROOT, "src", "surface", "cli", "main.ts"), ["runs", "recover"], { cwd });
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /^3 results of 1 run written to \.callweave\/results\.db\n {2}run \w{20}\n/);
  assert.match(first.out, /other spool files are for elsewhere\.example\.com\//);
  const again = await callweave(["runs", "recover", "--json"], { cwd });
  assert.deepEqual(JSON.parse(again.out).results, 0);
  assert.equal((await rowsIn(path)).results, 3);
  assert.equal(readdirSync(spool).length, 1);
});

test("runs recover names a spool file with a damaged first line and exits with 1", SLOW, async () => {
  const cwd = folder();
  const spool = join(cwd, ".callweave", "spool");
  await leaveSpool(spool, join(cwd, ".callweave", "results.db"), 3);
  const [name = ""] = readdirSync(spool);
  const lines = readFileSync(join(spool, name), "utf8").split("\n");
  writeFileSync(join(spool, name), ["garbage", ...lines.slice(1)].join("\n"));
  const { code, out } = await callweave(["runs", "recover"], { cwd });
  assert.equal(code, 1);
  assert.ok(out.includes(`${join("spool", name)}: repair its lines`), out);
  assert.deepEqual(readdirSync(spool), [name]);
});

test("the next run warns of an unreadable spool file and keeps it", SLOW, async () => {
  const cwd = folder({ "flow.ts": FLOW, "package.json": { type: "module" } });
  const spool = join(cwd, ".callweave", "spool");
  await leaveSpool(spool, join(cwd, ".callweave", "results.db"), 3);
  const [name = ""] = readdirSync(spool);
  const lines = readFileSync(join(spool, name), "utf8").split("\n");
  writeFileSync(join(spool, name), ["garbage", ...lines.slice(1)].join("\n"));
  const warning = `Results of an earlier run in "${join(realpathSync(spool), name)}" are not in the database`;
  const { code, out, err } = await callweave(["run", "flow.ts", "--json", "--junit", "report.xml"], { cwd });
  assert.equal(code, 0, err);
  const report = JSON.parse(out);
  assert.deepEqual([report.storeWarnings.length, report.storeWarnings[0].startsWith(warning)], [1, true]);
  assert.ok(formatReport(report).replace(/\s+/g, " ").includes(warning));
  assert.ok(readFileSync(join(cwd, "report.xml"), "utf8").includes(warning));
  const list = await callweave(["runs", "list"], { cwd });
  assert.ok(list.err.startsWith(`warning: ${warning}`), list.err);
  assert.deepEqual(readdirSync(spool), [name]);
});

test("the next run writes an earlier run's spooled results and says so", SLOW, async () => {
  const cwd = folder({ "flow.ts": FLOW, "package.json": { type: "module" } });
  const path = join(cwd, ".callweave", "results.db");
  await leaveSpool(join(cwd, ".callweave", "spool"), path, 2);
  const { code, out, err } = await callweave(["run", "flow.ts"], { cwd });
  assert.equal(code, 0, err);
  assert.match(out.replace(/\s+/g, " "), /2 results of earlier runs were written from the spool to the database/);
  assert.equal((await rowsIn(path)).results, 3);
});

test(
  "run exits with 3 when all pass but results are missing in the database, and says where they are",
  SLOW,
  async () => {
    const flow = `import { rmSync, writeFileSync } from "node:fs";
    import { flow, scenario } from ${JSON.stringify(join(ROOT, "mod.ts"))};
    export const graph = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
    const spoil = () => { for (const end of ["", "-wal", "-shm"]) rmSync("results.db" + end, { force: true }); writeFileSync("results.db", "no database ".repeat(500)); return true; };
    export const scenarios = [scenario("ends", graph).says("Hello?").ends("agent_ended").check("spoils the database", spoil)];`;
    const cwd = folder({ "flow.ts": flow, "package.json": { type: "module" } });
    const { code, out } = await callweave(["run", "flow.ts", "--db", "results.db", "--json"], { cwd });
    assert.equal(code, 3);
    const report = JSON.parse(out);
    assert.deepEqual([report.passed, report.stored, report.spooled, report.lost], [true, 0, 1, 0]);
    assert.match(report.spoolFile, /\.callweave.spool.\w+\.jsonl$/);
  },
);

test("runs merge makes one run of the newest runs of several databases", SLOW, async () => {
  const at = folder();
  const source = join(at, "agent.ts");
  writeFileSync(source, FLOW.replace("]", ', scenario("ends again", graph).says("Hello?").ends("agent_ended")]'));
  const [one, two, all] = ["one.db", "two.db", "all.db"].map((name) => join(at, name));
  assert.ok(one && two && all);
  for (const [index, db] of [one, two].entries())
    assert.equal((await callweave(["run", source, "--shard", `${index + 1}/2`, "--db", db])).code, 0);
  const say = async (db: string, author: string, verdict: string, at: string, what: string | null = null) => {
    const client = createClient({ url: `file:${db}` });
    const sql = `INSERT INTO callweave_labels (id, call, verdict, what, author, at)
      SELECT ?, id, ?, ?, ?, ? FROM callweave_results ORDER BY id LIMIT 1`;
    await client.execute({ sql, args: [`${author} ${at}`, verdict, what, author, at] });
    client.close();
  };
  const said = async (db: string) => {
    const client = createClient({ url: `file:${db}` });
    const { rows } = await client.execute(`SELECT r.run_id AS run, r.scenario AS scenario, author, verdict, what
      FROM callweave_labels AS l JOIN callweave_results AS r ON r.id = l.call ORDER BY r.run_id, at`);
    client.close();
    return rows.map(({ run, author, verdict, what }) => [run, author, verdict, what]);
  };
  await say(one, "ana", "bad", "2026-01-02", "too short");
  await say(two, "bob", "good", "2026-01-03");
  const { code, out } = await callweave(["runs", "merge", "--from", one, "--from", two, "--db", all]);
  assert.equal(code, 0);
  assert.match(out, /^merged 2 runs of hello with 2 results: run \w{20} in /);
  const merged = /run (\w{20})/.exec(out)?.[1];
  assert.deepEqual(await said(all), [
    [merged, "ana", "bad", "too short"],
    [merged, "bob", "good", null],
  ]);
  const [first] = JSON.parse((await callweave(["runs", "list", "--db", one, "--json"])).out);
  const partial = await callweave(["runs", "merge", first.id.slice(0, 18), first.id, "--db", one, "--json"]);
  assert.deepEqual([partial.code, JSON.parse(partial.out).missing], [1, ["ends again"]]);
  const { run } = JSON.parse(partial.out);
  // the label of a run that is merged with itself is there once, and stays where it was
  assert.deepEqual(await said(one), [
    [first.id, "ana", "bad", "too short"],
    [run.id, "ana", "bad", "too short"],
  ]);
  const resumed = await callweave(["run", source, "--resume", run.id, "--db", one, "--json"]);
  assert.deepEqual([resumed.code, JSON.parse(resumed.out).results.length], [0, 2]);
  const wrong = await callweave(["run", source, "--shard", "3/2", "--db", one]);
  assert.match(wrong.err, /--shard is "3\/2"/);
});
