import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { ROOT, runProgram } from "./_process.ts";
import { folder } from "./_terminal.ts";

const TSX = join(ROOT, "node_modules", "tsx", "dist", "cli.mjs");

test("a failing suite runs and fails however tsx is started", { timeout: 600_000 }, async () => {
  const code = `import { flow, runAsProgram, scenario } from "./callweave.mjs";
const hello = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
await runAsProgram(import.meta, hello, [scenario("fails", hello).says("Hi").includes("never said")]);
`;
  const suite = folder({ "package.json": { type: "module", main: "scenarios.ts" }, "scenarios.ts": code });
  // one file in place of the 500 modules, which tsx takes seconds to compile
  const options = { bundle: true, platform: "node", format: "esm", packages: "external", target: "node20" } as const;
  await build({ ...options, entryPoints: [join(ROOT, "mod.ts")], outfile: join(suite, "callweave.mjs") });
  symlinkSync(join(ROOT, "node_modules"), join(suite, "node_modules"), "junction");
  const start = async (started: string) => {
    const { code: exit, out, err } = await runProgram("node", [TSX, started, "--db", ":memory:"], { cwd: suite });
    assert.equal(exit, 1, `${started}: ${err}`);
    assert.match(out, /1 failed/, started);
  };
  await start("scenarios.ts"); // fills the cache of tsx for the others
  await Promise.all(["scenarios", "scenarios.js", "."].map(start));
});
