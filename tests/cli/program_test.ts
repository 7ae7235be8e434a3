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

test("the program ends with 1 for failed scenarios and keeps standard output pure JSON", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [{ ...CASE, includes: ["never said"] }] });
  const args = ["run", join(path, "agent.json"), "--tests", join(path, "tests.json"), "--json"];
  const { code, out } = await runFile(MAIN, args, { cwd: path });
  assert.equal(code, 1);
  assert.equal(JSON.parse(out).counts.fail, 1);
});

test("a first Ctrl-C is told by the signal: finished calls stay stored", {
  skip: process.platform === "win32",
}, async () => {
  const path = folder();
  const file = join(path, "stop.ts");
  const { writeFileSync } = await import("node:fs");
  writeFileSync(
    file,
    `import process from "node:process";
import { runCli } from ${JSON.stringify(join(ROOT, "src", "cli", "run_cli.ts"))};
import { processTerminal } from ${JSON.stringify(join(ROOT, "src", "cli", "terminal.ts"))};
const terminal = processTerminal();
setTimeout(() => process.kill(process.pid, "SIGINT"), 0);
await new Promise((resolve) => setTimeout(resolve, 200));
process.exitCode = await runCli(process.argv.slice(2), terminal);
`,
  );
  writeFileSync(join(path, "agent.json"), JSON.stringify(GRAPH));
  writeFileSync(join(path, "tests.json"), JSON.stringify([CASE]));
  const args = ["run", "agent.json", "--tests", "tests.json", "--json", "--db", ":memory:"];
  const { code, out, err } = await runFile(file, args, { cwd: path });
  assert.match(err, /stopping; what is finished is kept/);
  assert.notEqual(code, 0);
  assert.equal(out === "" || JSON.parse(out).counts.cancelled === 1, true);
});
