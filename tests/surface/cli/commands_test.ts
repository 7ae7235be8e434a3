import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { COMMANDS } from "../../../src/surface/cli/commands/mod.ts";
import { CASE, callweave, folder, GRAPH } from "./_terminal.ts";

const FLOW = join(import.meta.dirname ?? ".", "..", "..", "..", "examples", "clinic", "flow.ts");
const HELP_DESK = join(import.meta.dirname ?? ".", "..", "..", "..", "examples", "help-desk", "flow.ts");
const SCENARIOS = join(import.meta.dirname ?? ".", "..", "..", "..", "examples", "clinic", "scenarios.ts");

test("emit writes the config to standard output and losses to standard error", async () => {
  const { code, out, err } = await callweave(["emit", HELP_DESK, "--to", "retell"]);
  assert.equal(code, 0);
  assert.ok(JSON.parse(out));
  assert.match(err, /^Retell conversation flow: \d+ emulated, 0 dropped\n {2}emulated [a-z-]+(?: \(\d+ places\))?: /);
});

test("emit --json prints what emit() returns", async () => {
  const { out } = await callweave(["emit", FLOW, "--to", "vapi-squad", "--json"]);
  const document = JSON.parse(out);
  assert.deepEqual(Object.keys(document), ["config", "text", "losses"]);
  assert.ok(document.losses.every((loss: object) => "code" in loss && "instead" in loss));
});

test("emit --out writes the file atomically, creates its folder and leaves no other files", async () => {
  const path = folder();
  const { code, out } = await callweave(["emit", FLOW, "--to", "graph", "--out", join(path, "new", "a.vt.json")]);
  assert.equal(code, 0);
  assert.equal(out, "");
  assert.deepEqual(readdirSync(join(path, "new")), ["a.vt.json"]);
  assert.ok(JSON.parse(readFileSync(join(path, "new", "a.vt.json"), "utf8")).nodes);
});

test("import reads the output of emit, from a file and from standard input", async () => {
  const path = folder();
  await callweave(["emit", FLOW, "--to", "retell", "--out", join(path, "r.json")]);
  const fromFile = await callweave(["import", join(path, "r.json")]);
  assert.equal(fromFile.code, 0);
  assert.match(fromFile.err, /as retell: \d+ nodes/);
  const piped = await callweave(["import", "-", "--json"], { input: readFileSync(join(path, "r.json"), "utf8") });
  const document = JSON.parse(piped.out);
  assert.equal(document.format, "retell");
  const { $schema, ...graph } = JSON.parse(fromFile.out);
  assert.match($schema, /callweave\/schemas\/graph\.json$/);
  assert.deepEqual(document.graph, graph);
});

test("import --extract-secrets prints names of secrets, never values", async () => {
  const secret = `sk-proj-${"a1B2".repeat(12)}`;
  const graph = {
    ...GRAPH,
    nodes: { ...GRAPH.nodes, bye: { node_type: "end", metadata: { retell: { api_key: secret } } } },
  };
  const path = folder({ "agent.json": graph });
  const { code, out, err } = await callweave(["import", join(path, "agent.json"), "--extract-secrets"]);
  assert.equal(code, 0);
  assert.match(out, /\{\{env:[A-Z_]+\}\}/);
  assert.match(err, /replaces a secret at nodes\.bye/);
  assert.ok(!`${out}${err}`.includes(secret));
});

test("check exits with 0 without errors and with 1 with errors, and prints findings as JSON", async () => {
  const loop = {
    nodes: { a: { node_type: "logic", transitions: [{ target_node_id: "a", condition: { type: "always" } }] } },
    entry_node_id: "a",
  };
  const path = folder({ "good.json": GRAPH, "loop.json": loop });
  const good = await callweave(["check", join(path, "good.json")]);
  assert.equal(good.code, 0, good.out);
  const bad = await callweave(["check", join(path, "loop.json"), "--json"]);
  assert.equal(bad.code, 1);
  const findings: { severity: string; path: unknown; hint: string }[] = JSON.parse(bad.out);
  assert.ok(findings.some(({ severity }) => severity === "error"));
  assert.ok(findings.every(({ path, hint }) => Array.isArray(path) && typeof hint === "string"));
});

test("check --target adds features that the platform does not support", async () => {
  const { code, out } = await callweave(["check", FLOW, "--target", "vapi-squad", "--json"]);
  assert.equal(code, 0);
  assert.ok(JSON.parse(out).some(({ message }: { message: string }) => message.startsWith("Vapi squad: ")));
});

test("run prints a report and stores the run for runs list and runs show", async () => {
  const path = folder();
  const db = join(path, "results.db");
  const ran = await callweave(["run", FLOW, "--scenarios", SCENARIOS, "--db", db, "--json"]);
  assert.equal(ran.code, 0, ran.err);
  const report = JSON.parse(ran.out);
  assert.equal(report.counts.pass, 4);
  assert.equal(report.offline, true);
  assert.match(ran.err, /offline model/);

  const listed = await callweave(["runs", "list", "--db", db, "--json"]);
  assert.deepEqual(
    JSON.parse(listed.out).map((run: { id: string }) => run.id),
    [report.id],
  );
  const shown = await callweave(["runs", "show", report.id, "--db", db]);
  assert.equal(shown.code, 0);
  assert.match(shown.out, /Transcript\n\[greet\]/);
  assert.match(shown.out, /only matches words/);
  const json = await callweave(["runs", "show", report.id, "--db", db, "--json", "--scenario", "books an appointment"]);
  const stored = JSON.parse(json.out);
  assert.equal(stored.results.length, 1);
  assert.ok(stored.results[0].verdicts[0].reasoning);
});

test("run exits with 1 when a scenario fails, and writes a JUnit report", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [CASE, { ...CASE, name: "no", includes: ["never said"] }] });
  const junit = join(path, "report.xml");
  const agent = join(path, "agent.json");
  const tests = join(path, "tests.json");
  const failed = await callweave(["run", agent, "--tests", tests, "--db", ":memory:", "--junit", junit]);
  assert.equal(failed.code, 1);
  assert.match(failed.out, /Offline model/);
  assert.match(readFileSync(junit, "utf8"), /<failure /);
  const chosen = await callweave(["run", agent, "--tests", tests, "--db", ":memory:", "--scenario", CASE.name]);
  assert.equal(chosen.code, 0);
});

test("run rejects an unwritable JUnit path before the first call", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [CASE] });
  const [agent, tests] = [join(path, "agent.json"), join(path, "tests.json")];
  const junit = join(agent, "report.xml");
  const { code, out, err } = await callweave(["run", agent, "--tests", tests, "--db", ":memory:", "--junit", junit]);
  assert.equal(code, 2);
  assert.match(err, /^error\[unwritable-file\]/);
  assert.equal(out, "");
});

test("run exits with 3 when its JUnit report cannot be written, and prints the results", async () => {
  const path = folder({
    "flow.ts": `import { mkdirSync } from "node:fs";
      import { flow, scenario } from ${JSON.stringify(join(import.meta.dirname ?? "", "..", "..", "..", "mod.ts"))};
      export const graph = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
      const spoil = () => void mkdirSync(new URL("report.xml", import.meta.url));
      export const scenarios = [scenario("ends", graph).says("Hello?").check("spoils the report", spoil)];`,
    "package.json": { type: "module" },
  });
  const junit = join(path, "report.xml");
  const { code, out, err } = await callweave(["run", join(path, "flow.ts"), "--db", ":memory:", "--junit", junit]);
  assert.equal(code, 3, err);
  assert.match(err, /^error\[unwritable-file\] Cannot write ".*report\.xml": it is a folder/m);
  assert.match(out, /1 passed/);
});

test("run exits with 3 when its recordings cannot be written, and says so", async () => {
  const path = folder({
    "flow.ts": `import { mkdirSync } from "node:fs";
      import { flow, scenario } from ${JSON.stringify(join(import.meta.dirname ?? "", "..", "..", "..", "mod.ts"))};
      export const graph = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
      const spoil = () => void mkdirSync(new URL("calls.json", import.meta.url));
      export const scenarios = [scenario("ends", graph).says("Hello?").check("spoils the recordings", spoil)];`,
    "package.json": { type: "module" },
  });
  const recordings = join(path, "calls.json");
  const run = ["run", join(path, "flow.ts"), "--db", ":memory:", "--recordings", recordings, "--json"];
  const { code, out, err } = await callweave(run);
  assert.equal(code, 3, err);
  const report = JSON.parse(out);
  assert.equal(report.passed, true);
  assert.match(report.recordingsError, /calls\.json/);
});

test("run runs every scenario that a module exports and rejects other exports", async () => {
  const path = folder({
    "agent.json": GRAPH,
    "ends.ts":
      'export const one = { name: "one", says: ["Hi"], ends: "agent_ended" };\nexport const two = [{ name: "two", says: ["Hi"], excludes: ["never said"] }];\n',
    "bare.ts":
      'export const one = { name: "one", says: ["Hi"], excludes: ["never said"] };\nexport const two = [{ name: "two", says: ["Hi"], excludes: ["never said"] }, {}];\n',
  });
  const runWith = (file: string) =>
    callweave(["run", join(path, "agent.json"), "--scenarios", join(path, file), "--db", ":memory:", "--json"]);
  const { results } = JSON.parse((await runWith("ends.ts")).out);
  assert.deepEqual(
    results.map((result: { scenario: string }) => result.scenario),
    ["one", "two"],
  );
  const refused = await runWith("bare.ts");
  assert.equal(refused.code, 2);
  assert.match(refused.err, /^error\[invalid-scenario\]/);
});

test("run rejects a file without scenarios and an export with a misspelt key", async () => {
  const path = folder({
    "agent.json": GRAPH,
    "tests.json": [CASE],
    "empty.json": [],
    "misspelled.ts": `export const good = ${JSON.stringify([CASE])};\nexport const bad = [{ name: "bad", user_promt: "Hi" }];\n`,
    "words.ts": 'export const one = { name: "one", persona: "You are Jo.", judge: ["is polite"] };\n',
  });
  const at = (name: string) => join(path, name);
  const runWith = (...flags: readonly string[]) =>
    callweave(["run", at("agent.json"), ...flags, "--db", ":memory:", "--json"]);
  const empty = await runWith("--tests", at("tests.json"), "--tests", at("empty.json"));
  assert.equal(empty.code, 2);
  assert.match(empty.err, /^error\[usage\] .*no scenarios in ".*empty\.json"/);
  const misspelled = await runWith("--scenarios", at("misspelled.ts"));
  assert.equal(misspelled.code, 2);
  assert.match(misspelled.err, /^error\[invalid-scenario\] .*user_promt.*Did you mean "user_prompt"\?/);
  assert.equal(
    JSON.parse((await runWith("--scenarios", at("words.ts"))).out).results[0].verdicts[0].criterion,
    "is polite",
  );
});

test("run rejects expectations with names that are not in the graph, and warns of such mocks", async () => {
  const runWith = async (more: object) => {
    const path = folder({ "agent.json": GRAPH, "tests.json": [{ ...CASE, ...more }] });
    const [agent, tests] = [join(path, "agent.json"), join(path, "tests.json")];
    return await callweave(["run", agent, "--tests", tests, "--db", ":memory:"]);
  };
  const refused = await runWith({ avoids: ["by"] });
  assert.equal(refused.code, 2);
  assert.match(refused.err, /error\[invalid-scenario\].*"by".*Did you mean "bye"/);
  const warned = await runWith({ tool_mocks: [{ tool_name: "lookup", output: "" }] });
  assert.equal(warned.code, 0);
  assert.match(warned.err, /warning\[unknown-tool\].*"lookup"/);
});

test("formats lists every format as text and as JSON", async () => {
  const names = JSON.parse((await callweave(["formats", "--json"])).out).map((format: { name: string }) => format.name);
  const { out } = await callweave(["formats"]);
  for (const name of names) assert.ok(out.includes(name));
  assert.ok(names.includes("retell") && names.includes("vapi-squad") && names.includes("graph"));
});

test("every command has help with an example, and --json where it prints data", async () => {
  for (const { name } of COMMANDS) {
    const { code, out } = await callweave([...name.split(" "), "--help"]);
    assert.equal(code, 0);
    assert.match(out, new RegExp(`Usage: callweave ${name}`));
    // one writes files, one serves a page, one prints a document, which is JSON, one a picture, and one answers an assistant
    if (!["init", "view", "compose", "draw", "mcp"].includes(name)) assert.match(out, /\n {2}--json /);
    assert.match(out, /\nExamples:\n {2}callweave /);
  }
  assert.match((await callweave(["runs", "--help"])).out, /runs show ID/);
  assert.equal((await callweave(["--help"])).code, 0);
});
