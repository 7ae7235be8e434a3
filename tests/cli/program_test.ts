import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { VERSION } from "../../src/cli/version.ts";
import { ROOT, runFile } from "./_process.ts";
import { CASE, folder, GRAPH } from "./_terminal.ts";

const MAIN = join(ROOT, "src", "cli", "main.ts");

test("the program says its version, which is the package's", async () => {
  const { code, out } = await runFile(MAIN, ["--version"]);
  assert.equal(code, 0);
  assert.equal(out.trim(), VERSION);
  for (const file of ["package.json", "deno.json"])
    assert.equal(JSON.parse(readFileSync(join(ROOT, file), "utf8")).version, VERSION);
});

test("the program ends with 2 and one line for bad input, without a stack trace", async () => {
  const { code, out, err } = await runFile(MAIN, ["emit", "no-such-file.json", "--to", "retell"]);
  assert.equal(code, 2);
  assert.equal(out, "");
  assert.match(err, /^error\[unreadable-file\] [^\n]+\n$/);
});

test("the program ends with 2 where a real model has no key, and shows no other key", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [CASE] });
  const args = ["run", join(path, "agent.json"), "--tests", join(path, "tests.json"), "--model", "openai/gpt-5-mini"];
  const { code, err } = await runFile(MAIN, args, { cwd: path, env: { OTHER_API_KEY: "canary-0123456789" } });
  assert.equal(code, 2);
  assert.match(err, /^error\[missing-key-variable\] [^\n]*OPENAI_API_KEY[^\n]*\n$/);
  assert.ok(!err.includes("canary"));
});

test("what a module logs goes to standard error, so that --json and emit stay pure", async () => {
  const sdk = JSON.stringify(new URL("../../mod.ts", import.meta.url).href);
  const module = `import { flow } from ${sdk};
console.log("noise");
console.info("noise");
export const shop = flow("shop").end("bye", { prompt: "Bye." }).compile();
`;
  const path = folder({ "flow.ts": module, "package.json": { type: "module" } });
  const { code, out, err } = await runFile(MAIN, ["emit", "flow.ts", "--to", "voicetest", "--json"], { cwd: path });
  assert.equal(code, 0, err);
  assert.ok(JSON.parse(out).config);
  assert.equal(err.match(/noise/g)?.length, 2);
});

test("the program ends with 1 for failed scenarios and keeps standard output pure JSON", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [{ ...CASE, includes: ["never said"] }] });
  const args = ["run", join(path, "agent.json"), "--tests", join(path, "tests.json"), "--json"];
  const { code, out } = await runFile(MAIN, args, { cwd: path });
  assert.equal(code, 1);
  assert.equal(JSON.parse(out).counts.fail, 1);
});

test("a program of scenarios explains its flags, asked in any of the ways of the command line", async () => {
  for (const flag of ["--help", "-h"]) {
    const { code, out, err } = await runFile(join(ROOT, "examples", "help-desk", "scenarios.ts"), [flag]);
    assert.equal(code, 0, err);
    assert.match(out, /^Hold the scenarios of this file/);
    assert.match(out, /^Usage: SCENARIOS\.ts \[options\]$/m);
  }
});
