import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { TYPESCRIPT_VERSION, VERSION } from "../../../src/surface/cli/help.ts";
import { runProgram } from "../../../src/surface/cli/run_program.ts";
import { ROOT, runFile } from "./_process.ts";
import { CASE, folder, GRAPH, inTerminal } from "./_terminal.ts";

const MAIN = join(ROOT, "src", "surface", "cli", "main.ts");

test("the program prints the package's version", async () => {
  const { code, out } = await runFile(MAIN, ["--version"]);
  assert.equal(code, 0);
  assert.equal(out.trim(), VERSION);
  for (const file of ["package.json", "deno.json"])
    assert.equal(JSON.parse(readFileSync(join(ROOT, file), "utf8")).version, VERSION);
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  assert.equal(devDependencies.typescript, TYPESCRIPT_VERSION);
});

test("bad input exits with 2 and one line, without a stack trace", async () => {
  const { code, out, err } = await runFile(MAIN, ["emit", "no-such-file.json", "--to", "retell"]);
  assert.equal(code, 2);
  assert.equal(out, "");
  assert.match(err, /^error\[unreadable-file\] [^\n]+\n$/);
});

test("a real model without a key exits with 2, and prints no other key", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [CASE] });
  const args = ["run", join(path, "agent.json"), "--tests", join(path, "tests.json"), "--model", "openai/gpt-5-mini"];
  const { code, err } = await runFile(MAIN, args, { cwd: path, env: { OTHER_API_KEY: "canary-0123456789" } });
  assert.equal(code, 2);
  assert.match(err, /^error\[missing-key-variable\] [^\n]*OPENAI_API_KEY[^\n]*\n$/);
  assert.ok(!err.includes("canary"));
});

test("a module's logs go to standard error, so that JSON output stays valid", async () => {
  const module = `console.log("noise");
console.info("noise");
export const shop = ${JSON.stringify(GRAPH)};
`;
  const path = folder({ "flow.ts": module, "package.json": { type: "module" } });
  const { code, out, err } = await runFile(MAIN, ["emit", "flow.ts", "--to", "graph", "--json"], { cwd: path });
  assert.equal(code, 0, err);
  assert.ok(JSON.parse(out).config);
  assert.equal(err.match(/noise/g)?.length, 2);
});

test("failed scenarios exit with 1, and standard output stays valid JSON", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [{ ...CASE, includes: ["never said"] }] });
  const args = ["run", join(path, "agent.json"), "--tests", join(path, "tests.json"), "--json"];
  const { code, out } = await runFile(MAIN, args, { cwd: path });
  assert.equal(code, 1);
  assert.equal(JSON.parse(out).counts.fail, 1);
});

test("a scenario program explains its flags for every form of --help", async () => {
  for (const flag of ["--help", "-h"]) {
    const { code, out, err } = await inTerminal((terminal) => runProgram(parseGraph(GRAPH), [CASE], [flag], terminal));
    assert.equal(code, 0, err);
    assert.match(out, /^Run the scenarios of this file/);
    assert.match(out, /^Usage: SCENARIOS\.ts \[options\]$/m);
  }
});
