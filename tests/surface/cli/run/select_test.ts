import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { callweave, folder, GRAPH } from "../_terminal.ts";

const SCENARIOS = [
  { name: "asks for an order", says: ["Hello"], visits: ["greet"], tags: ["smoke", "orders"] },
  { name: "Returns a lamp", says: ["Hello"], visits: ["greet"], tags: ["returns"] },
  { name: "asks the way", says: ["Hello"], visits: ["greet"] },
];

/** The names of the scenarios that the flags select, and how the command ended. */
async function selected(...flags: readonly string[]) {
  const path = folder({ "agent.vt.json": GRAPH, "tests.json": SCENARIOS });
  const source = [join(path, "agent.vt.json"), "--tests", join(path, "tests.json"), "--db", join(path, "r.db")];
  const { code, out, err } = await callweave(["run", ...source, "--json", ...flags]);
  const names: string[] =
    code === 2 ? [] : JSON.parse(out).results.map(({ scenario }: { scenario: string }) => scenario);
  return { names, code, err };
}

test("--grep selects scenarios by a case-insensitive regular expression, --tag by a tag", async () => {
  assert.deepEqual((await selected("--grep", "ASKS")).names, ["asks for an order", "asks the way"]);
  assert.deepEqual((await selected("--grep", "order|lamp")).names, ["asks for an order", "Returns a lamp"]);
  assert.deepEqual((await selected("--tag", "smoke", "--tag", "returns")).names, [
    "asks for an order",
    "Returns a lamp",
  ]);
  assert.deepEqual((await selected("--tag", "smoke", "--grep", "asks")).names, ["asks for an order"]);
});

test("a selection without matches and an invalid pattern are errors", async () => {
  const none = await selected("--tag", "nightly");
  assert.equal(none.code, 2);
  assert.match(none.err, /no scenario matches --tag nightly.*the tags are "smoke", "orders", "returns"/);
  assert.match((await selected("--grep", "(")).err, /--grep is not a regular expression/);
});

test("a line is printed for each call as soon as it is finished", async () => {
  const { err } = await selected();
  for (const { name } of SCENARIOS) assert.match(err, new RegExp(`^  \\d/3 ✓ ${name}: 1 turn, `, "m"));
});

test("run exits with 1 when a scenario failed, and with 3 when none failed but one errored", async () => {
  const path = folder({
    "agent.vt.json": GRAPH,
    "fails.json": [{ name: "fails", says: ["Hello"], includes: ["a word that nobody says"] }],
    "passes.json": [{ name: "passes", says: ["Hello"], visits: ["greet"] }],
  });
  const run = async (...flags: readonly string[]) =>
    (await callweave(["run", join(path, "agent.vt.json"), "--db", join(path, "r.db"), ...flags])).code;
  const tests = (name: string) => ["--tests", join(path, name)];
  const replay = ["--recordings", join(path, "none.json"), "--mode", "replay"];
  assert.equal(await run(...tests("passes.json")), 0);
  assert.equal(await run(...tests("fails.json"), ...tests("passes.json")), 1);
  assert.equal(await run(...tests("passes.json"), ...replay), 3);
  assert.equal(await run(...tests("missing.json")), 2);
});

test("import names the document's JSON Schema, relative to the output file", async () => {
  const path = folder({ "agent.json": GRAPH });
  const first = await callweave(["import", join(path, "agent.json")]);
  assert.equal(JSON.parse(first.out).$schema, "./node_modules/callweave/schemas/graph.json");
  const own = folder({ "agent.json": { $schema: "https://example.com/agent.json", ...GRAPH } });
  const kept = await callweave(["import", join(own, "agent.json")]);
  assert.equal(JSON.parse(kept.out).$schema, "https://example.com/agent.json");
  const out = join(path, "agents", "agent.vt.json");
  await callweave(["import", join(path, "agent.json"), "--out", out]);
  const schema: string = JSON.parse(readFileSync(out, "utf8")).$schema;
  assert.equal(resolve(path, "agents", schema), resolve("node_modules", "callweave", "schemas", "graph.json"));
  const installed = join(path, "node_modules", "callweave", "schemas");
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, "graph.json"), "{}");
  await callweave(["import", join(path, "agent.json"), "--out", out]);
  assert.equal(JSON.parse(readFileSync(out, "utf8")).$schema, "../node_modules/callweave/schemas/graph.json");
});
