import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, runProgram } from "./_process.ts";
import { folder } from "./_terminal.ts";

const TSX = join(ROOT, "node_modules", "tsx", "dist", "cli.mjs");

test("a failing suite runs and fails however tsx is started", { timeout: 180_000 }, async () => {
  const mod = JSON.stringify(new URL("../../mod.ts", import.meta.url).href);
  const code = `import { flow, runAsProgram, scenario } from ${mod};
const hello = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
await runAsProgram(import.meta, hello, [scenario("fails", hello).says("Hi").includes("never said")]);
`;
  const suite = folder({ "package.json": { type: "module", main: "scenarios.ts" }, "scenarios.ts": code });
  const start = async (started: string) => {
    const { code: exit, out, err } = await runProgram("node", [TSX, started, "--db", ":memory:"], { cwd: suite });
    assert.equal(exit, 1, `${started}: ${err}`);
    assert.match(out, /1 failed/, started);
  };
  await start("scenarios.ts"); // compiles what the others load from the cache
  await Promise.all(["scenarios", "scenarios.js", "."].map(start));
});
