import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseReporter } from "../../../src/surface/cli/reports/choose_reports.ts";
import { REPORTER_FLAGS } from "../../../src/surface/cli/reports/flags.ts";
import { REPORTERS } from "../../../src/surface/reporters/mod.ts";
import { CASE, callweave, folder, GRAPH } from "./_terminal.ts";

const FAILING = { name: "never reached", says: ["Good morning"], visits: ["greet"], includes: ["sesame"] };

/** A folder with an agent and test cases, and how to run them with more flags. */
function project(files: Readonly<Record<string, unknown>> = {}) {
  const path = folder({ "agent.json": GRAPH, "tests.json": [CASE, FAILING], ...files });
  const at = (name: string) => join(path, name);
  const flags = ["--tests", at("tests.json"), "--db", at("runs.db")];
  const run = (more: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    callweave(["run", at("agent.json"), ...flags, ...more], { env });
  const read = (name: string) => readFileSync(at(name), "utf8");
  return { at, run, read };
}

test("--reporter splits a name or a module from its file, also with drive letters and colons", () => {
  for (const [text, parsed] of [
    ["junit", { name: "junit" }],
    ["junit:out/report.xml", { name: "junit", file: "out/report.xml" }],
    ["junit:C:\\out\\report.xml", { name: "junit", file: "C:\\out\\report.xml" }],
    ["json:-", { name: "json" }],
    ["./mine.ts", { module: "./mine.ts" }],
    ["./mine.mjs:a:b.txt", { module: "./mine.mjs", file: "a:b.txt" }],
    ["C:\\my\\mine.ts:D:\\out.txt", { module: "C:\\my\\mine.ts", file: "D:\\out.txt" }],
    ["./a:b/mine.js:out.txt", { module: "./a:b/mine.js", file: "out.txt" }],
  ] as const)
    assert.deepEqual(parseReporter(text), parsed, text);
  for (const [text, hint] of [
    ["juint:a.xml", 'Did you mean "junit"?'],
    ["junit:", "Write --reporter junit:FILE"],
    ["html=report.html", "Write --reporter html:report.html"],
    ["./mine", /^Write terminal, json, .*--reporter \.\/my_reporter\.ts$/],
  ] as const)
    assert.throws(() => parseReporter(text), { code: "usage", hint }, text);
});

test("the help of --reporter names every reporter", () => {
  const names = REPORTER_FLAGS.reporter.description.split(/[:,;] | or /);
  assert.deepEqual(
    Object.keys(REPORTERS).filter((name) => !names.includes(name)),
    [],
  );
});

test("run writes every report that --reporter names, and prints the one without a file", async () => {
  const { at, run, read } = project();
  const files = [
    "--reporter",
    `junit:${at("a.xml")}`,
    "--reporter",
    `json:${at("deep/a.json")}`,
    "--junit",
    at("b.xml"),
  ];
  const { code, out, err } = await run([...files, "--reporter", "ctrf"]);
  assert.equal(code, 1);
  for (const name of ["a.xml", "deep/a.json", "b.xml"]) assert.ok(err.includes(`wrote ${at(name)}\n`), err);
  assert.equal(JSON.parse(out).results.summary.failed, 1);
  assert.equal(read("a.xml"), read("b.xml"));
  assert.equal(JSON.parse(read("deep/a.json")).counts.fail, 1);
  const plain = await run(["--reporter", `ctrf:${at("c.json")}`]);
  assert.match(plain.out, /1 passed, 1 failed/);
});

test("run rejects reports that overwrite an input or each other, or that cannot be written, before the first call", async () => {
  const { at, run } = project();
  for (const [flags, message] of [
    [["--json", "--reporter", "junit"], /--json and --reporter junit both print to standard output/],
    [["--reporter", `json:${at("tests.json")}`], /--reporter json would overwrite the scenarios/],
    [["--reporter", `json:${at("a")}`, "--junit", at("a")], /--reporter json would overwrite the report of --junit/],
    [["--reporter", `json:${at("tests.json")}/a.json`], /unwritable-file/],
    [["--reporter", "html5"], /there is no reporter "html5"/],
  ] as const) {
    const { code, err } = await run(flags);
    assert.equal(code, 2, err);
    assert.match(err, message);
  }
  assert.equal(existsSync(at("runs.db")), false);
});

test("run uses a module as a reporter, and shows its own report when the module prints none", async () => {
  const { at, run, read } = project({
    "mine.mjs": `const names = [];
      export const reporter = {
        onEvent: (event) => void (event.kind === "call-end" && names.push(event.scenario)),
        onEnd: (report, { graph }) => JSON.stringify({ names: names.sort(), entry: graph.entry_node_id }),
      };`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source code of a module
    "own.mjs": "export default { onEnd: async ({ results }) => `${results.length} calls` };",
    "silent.mjs": "export default { onEnd: () => undefined };",
    "wrong.mjs": "export const report = 1;",
  });
  const { code, out } = await run(["--reporter", at("mine.mjs"), "--reporter", `${at("own.mjs")}:${at("own.txt")}`]);
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(out), { names: [CASE.name, FAILING.name].sort(), entry: GRAPH.entry_node_id });
  assert.equal(read("own.txt"), "2 calls");
  assert.match((await run(["--reporter", at("silent.mjs")])).out, /1 passed, 1 failed/);
  assert.match((await run(["--reporter", at("wrong.mjs")])).err, /error\[no-export\].*Export one by the name reporter/);
});

test("run keeps its verdict and writes the other reports when a reporter fails", async () => {
  const { at, run, read } = project({
    "tests.json": [CASE],
    "bad.mjs": `export const reporter = { onEnd: () => { throw new Error("no connection"); } };`,
  });
  const { code, out, err } = await run(["--reporter", at("bad.mjs"), "--reporter", `json:${at("a.json")}`]);
  assert.equal(code, 3);
  assert.match(
    err,
    /error\[reporter-failed\] Cannot write the report of ".*bad\.mjs": onEnd\(\) failed: no connection/,
  );
  assert.match(`${out}${err}`, /1 passed/);
  assert.equal(JSON.parse(read("a.json")).passed, true);
});

test("--reporter github adds to the step's summary and annotates the scenarios' lines", async () => {
  const { at, run, read } = project({ "tests.json": JSON.stringify([CASE, FAILING], null, 2) });
  writeFileSync(at("summary.md"), "before\n");
  const env = { GITHUB_STEP_SUMMARY: at("summary.md"), GITHUB_WORKSPACE: at("") };
  const { out, err } = await run(["--reporter", "github"], env);
  assert.match(read("summary.md"), /^before\n## ❌ [\s\S]*never reached/);
  const line = JSON.stringify([CASE, FAILING], null, 2)
    .split("\n")
    .findIndex((text) => text.includes(FAILING.name));
  assert.ok(err.includes(`::error file=tests.json,line=${line + 1},title=never reached failed::includes`), err);
  assert.match(out, /1 passed, 1 failed/);
  const elsewhere = await run(["--reporter", "github"]);
  assert.match(elsewhere.out, /^## ❌ /);
});

test("runs show writes reports of a stored run", async () => {
  const { at, run, read } = project();
  await run(["--reporter", `json:${at("run.json")}`, "--junit", at("run.xml")]);
  const { id } = JSON.parse(read("run.json"));
  const show = (more: readonly string[]) => callweave(["runs", "show", id, "--db", at("runs.db"), ...more]);
  const { code, out, err } = await show(["--reporter", `junit:${at("again.xml")}`]);
  assert.deepEqual([code, out], [0, ""], err);
  const withoutTimes = (xml: string) => xml.replaceAll(/ (?:time|timestamp)="[^"]*"/g, "");
  assert.equal(withoutTimes(read("again.xml")), withoutTimes(read("run.xml")));
  assert.equal(JSON.parse((await show(["--reporter", "json"])).out).id, id);
  assert.match((await show(["--reporter", `json:${at("runs.db")}`])).err, /would overwrite the results database/);
  assert.match((await show(["--json", "--reporter", "junit"])).err, /--json and --reporter exclude each other/);
});
