import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@libsql/client";
import { openStore } from "../../../src/run/store/mod.ts";
import { CASE, callweave, folder, GRAPH } from "./_terminal.ts";

const SDK = JSON.stringify(new URL("../../../mod.ts", import.meta.url).href);

/** Runs a command line that must fail: exit code 2, nothing on standard output, one line with code and hint. */
async function refused(argv: readonly string[], code: string, env: Readonly<Record<string, string>> = {}) {
  const ran = await callweave(argv, { env });
  assert.equal(ran.code, 2, ran.err);
  assert.equal(ran.out, "");
  assert.match(ran.err, new RegExp(`^error\\[${code}\\] Cannot [^\\n]+ — [^\\n]+\\n$`));
  return ran.err;
}

const path = folder({
  "graph.json": GRAPH,
  "tests.json": [CASE],
  "not-an-agent.json": { hello: "world" },
  "list.json": [1, 2, 3],
  "truncated.json": JSON.stringify(GRAPH).slice(0, 60),
  "empty.json": "",
  "no-entry.json": { ...GRAPH, entry_node_id: "gret" },
  "no-target.json": {
    ...GRAPH,
    nodes: { greet: { transitions: [{ target_node_id: "nowhere", condition: { type: "always" } }] } },
  },
  "none.ts": "export const answer = 42;\n",
  "builder.ts": `import { flow } from ${SDK};\nexport const clinic = flow("clinic").end("bye", { prompt: "Bye." });\n`,
  "several.ts": `import { flow } from ${SDK};
export const one = flow("one").end("bye", { prompt: "Bye." }).compile();
export const two = flow("two").end("bye", { prompt: "Bye." }).compile();\n`,
  "syntax.ts": "export const x = {;\n",
  "throws.ts": 'throw new Error("not today");\n',
  "cycle.ts": 'throw Object.assign(new Error("in a cycle"), { code: "ERR_REQUIRE_CYCLE_MODULE" });\n',
  "commonjs.ts": 'throw new SyntaxError("Cannot use import statement outside a module");\n',
  "tsx.ts": `throw new Error('Top-level await is currently not supported with the "cjs" output format');\n`,
  "no-items.json": [],
  "wrong-tests.json": [{ user_prompt: 3 }],
  "notes.txt": "this is no database, and it is long enough to be looked at as one ".repeat(40),
});
const at = (name: string) => join(path, name);

test("a JSON file that is not an agent is rejected", async () => {
  await refused(["emit", at("not-an-agent.json"), "--to", "retell"], "unknown-format");
  await refused(["check", at("list.json")], "unknown-format");
  await refused(["import", at("not-an-agent.json"), "--format", "retell"], "unknown-shape");
});

test("truncated and empty JSON is rejected, with the file's name", async () => {
  assert.match(await refused(["import", at("truncated.json")], "invalid-json"), /truncated\.json/);
  await refused(["check", at("empty.json")], "invalid-json");
});

test("a graph with an unknown entry or target is rejected, with its path and a suggestion", async () => {
  const entry = await refused(["emit", at("no-entry.json"), "--to", "retell"], "unknown-entry");
  assert.match(entry, /\(at entry_node_id\) — Did you mean "greet"\?/);
  const target = await refused(["emit", at("no-target.json"), "--to", "retell"], "unknown-target");
  assert.match(target, /\(at nodes\.greet\.transitions\.0\.target_node_id\)/);
});

test("a module with no graph, a builder or several graphs is rejected, with its exports", async () => {
  assert.match(await refused(["emit", at("none.ts"), "--to", "retell"], "no-export"), /answer/);
  assert.match(await refused(["check", at("builder.ts")], "no-export"), /"clinic" is a builder, call \.compile\(\)/);
  assert.match(await refused(["check", at("several.ts")], "no-export"), /several graphs \(one, two\)/);
  assert.equal((await callweave(["check", at("several.ts"), "--export", "two"])).code, 0);
  assert.match(await refused(["check", at("several.ts"), "--export", "three"], "no-export"), /one, two/);
});

test("a module that throws or does not exist is rejected", async () => {
  assert.match(await refused(["check", at("throws.ts")], "module-failed"), /not today/);
  assert.match(await refused(["check", at("syntax.ts")], "module-failed"), /Fix the module's syntax/);
  // like Node and tsx if package.json has no "type": "module"
  for (const name of ["cycle.ts", "commonjs.ts", "tsx.ts"])
    assert.match(await refused(["check", at(name)], "module-failed"), /Set "type": "module" in package\.json/);
  await refused(["check", at("missing.ts")], "unreadable-file");
  await refused(["check", at("missing.json")], "unreadable-file");
  await refused(["check", path], "unreadable-file");
});

test("an unknown format is rejected, with the nearest one", async () => {
  assert.match(await refused(["emit", at("graph.json"), "--to", "retel"], "unknown-format"), /Did you mean "retell"/);
  await refused(["check", at("graph.json"), "--target", "retel"], "unknown-format");
});

test("a database that cannot be opened stops the run before the first call", async () => {
  const run = ["run", at("graph.json"), "--tests", at("tests.json"), "--db"];
  await refused([...run, at("notes.txt")], "store-unavailable");
  await refused([...run, join(at("graph.json"), "results.db")], "store-unavailable");
  await refused(["runs", "list", "--db", at("notes.txt")], "store-unavailable");
});

test("runs show rejects an unknown run", async () => {
  const db = join(folder(), "results.db");
  await (await openStore(db)).close();
  await refused(["runs", "show", "zzz", "--db", db], "unknown-run");
  assert.equal((await callweave(["runs", "list", "--db", db])).code, 0);
});

test("reading runs creates no database and does not change other databases", async () => {
  const place = folder({ "empty.db": "" });
  const foreign = createClient({ url: `file:${join(place, "foreign.db")}` });
  await foreign.execute("CREATE TABLE notes (text TEXT)");
  foreign.close();
  const before = readdirSync(place).map((name) => [name, readFileSync(join(place, name), "hex")]);
  for (const name of ["typo.db", "no/folder.db", "empty.db", "foreign.db"])
    for (const look of [["list"], ["show", "zzz"]])
      await refused(["runs", ...look, "--db", join(place, name)], "store-unavailable");
  assert.deepEqual(
    readdirSync(place).map((name) => [name, readFileSync(join(place, name), "hex")]),
    before,
  );
  assert.match(
    await refused(["runs", "list", "--db", join(place, "typo.db")], "store-unavailable"),
    /the file does not exist/,
  );
});

test("test cases with errors are rejected, with every path", async () => {
  const run = ["run", at("graph.json"), "--db", ":memory:"];
  await refused([...run, "--tests", at("wrong-tests.json")], "invalid-scenario");
  await refused([...run, "--tests", at("truncated.json")], "invalid-json");
  await refused([...run, "--scenarios", at("none.ts")], "no-export");
  await refused(run, "usage");
  await refused([...run, "--tests", at("tests.json"), "--scenario", "nobody"], "usage");
});

test("files without anything to check, and filters that match nothing, are rejected", async () => {
  const run = ["run", at("graph.json"), "--db", ":memory:"];
  await refused([...run, "--tests", at("no-items.json")], "usage");
  for (const filter of ["--grep", "--tag"])
    await refused([...run, "--tests", at("tests.json"), filter, "none"], "usage");
  await refused([...run, "--tests", at("tests.json"), "--policies", at("no-items.json")], "no-export");
  await refused(["check", at("graph.json"), "--policies", at("no-items.json")], "no-export");
  await refused(["judge", "calibrate", at("no-items.json"), "--model", "offline"], "invalid-option");
  await refused(["evaluate", at("no-items.json"), "--metric", "polite", "--model", "offline"], "invalid-option");
});

test("wrong usage is rejected with a suggestion", async () => {
  assert.match(await refused(["emitt"], "usage"), /Did you mean "callweave emit"/);
  assert.match(await refused(["runs", "lst"], "usage"), /Did you mean "callweave runs list"/);
  assert.match(await refused(["emit", at("graph.json"), "--too", "x"], "usage"), /Did you mean "--to"/);
  assert.match(await refused(["-x"], "usage"), /no flag -x before a command/);
  assert.match(await refused(["import", at("several.ts")], "usage"), /emit .*several\.ts --to graph/);
  await refused(["emit", at("graph.json")], "usage");
  await refused(["emit", "--to", "retell"], "usage");
  await refused(["emit", at("graph.json"), "--to"], "usage");
  await refused(["emit", at("graph.json"), "--to", "--json"], "usage");
  await refused(["emit", at("graph.json"), at("graph.json"), "--to", "retell"], "usage");
  await refused(["emit", at("graph.json"), "--to", "retell", "--to", "vapi-squad"], "usage");
  await refused(["formats", "--json=yes"], "usage");
  await refused(["compare-turns", at("graph.json"), "--tests", at("tests.json"), "--turn", "split"], "usage");
  await refused(["run", at("graph.json"), "--tests", at("tests.json"), "--concurrency", "none"], "usage");
  await refused(["run", at("graph.json"), "--tests", at("tests.json"), "--threshold", "7"], "usage");
});

test("a file that cannot be written is never left half written", async () => {
  mkdirSync(at("taken"));
  writeFileSync(join(at("taken"), "keep"), "");
  await refused(["emit", at("graph.json"), "--to", "graph", "--out", at("taken")], "unwritable-file");
  await refused(["emit", at("graph.json"), "--to", "graph", "--out", join(at("graph.json"), "x")], "unwritable-file");
  assert.deepEqual(
    readdirSync(path).filter((name) => name.endsWith(".tmp")),
    [],
  );
});

test("messages contain no line breaks and no terminal escapes", async () => {
  const err = await refused(["emit", at("graph.json"), "--to", "re\ntell\u001b[31m"], "unknown-format");
  assert.ok(!err.includes("\u001b"));
});
