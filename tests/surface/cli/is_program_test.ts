import assert from "node:assert/strict";
import { linkSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { runAsProgram } from "../../../mod.ts";
import { isProgram } from "../../../src/surface/cli/is_program.ts";
import { folder } from "./_terminal.ts";

const path = realpathSync(
  folder({ "package.json": { type: "module", main: "scenarios" }, "scenarios.ts": "", "other.ts": "", "odd.mts": "" }),
);
mkdirSync(join(path, "empty"));
mkdirSync(join(path, "indexed"));
writeFileSync(join(path, "indexed", "index.ts"), "");
symlinkSync(join(path, "scenarios.ts"), join(path, "link.ts"));
linkSync(join(path, "scenarios.ts"), join(path, "hard.ts"));
const url = (name: string) => pathToFileURL(join(path, name)).href;

for (const [what, started, module, expected] of [
  ["the file", "scenarios.ts", "scenarios.ts", true],
  ["the file without its extension", "scenarios", "scenarios.ts", true],
  ["a .js that is a .ts", "scenarios.js", "scenarios.ts", true],
  ["an .mjs that is an .mts", "odd.mjs", "odd.mts", true],
  ["the folder, whose package names it", ".", "scenarios.ts", true],
  ["the folder, whose index it is", "indexed", "indexed/index.ts", true],
  ["a symbolic link to it", "link.ts", "scenarios.ts", true],
  ["a hard link to it", "hard.ts", "scenarios.ts", true],
  ["another file", "other.ts", "scenarios.ts", false],
  ["another file without its extension", "other", "scenarios.ts", false],
  ["the folder of another file", ".", "other.ts", false],
  ["a file that is not there", "gone.ts", "scenarios.ts", undefined],
  ["a folder without a module", "empty", "scenarios.ts", undefined],
] as const)
  test(`isProgram() is ${expected} when the process was started with ${what}`, () => {
    assert.equal(isProgram({ url: url(module) }, join(path, started)), expected);
  });

test("isProgram() uses the runtime's own answer and handles a start without a file", () => {
  assert.equal(isProgram({ url: url("scenarios.ts"), main: false }, join(path, "scenarios.ts")), false);
  assert.equal(isProgram({ url: url("scenarios.ts"), main: true }, join(path, "other.ts")), true);
  assert.equal(isProgram({ url: url("scenarios.ts") }, undefined), false);
  assert.equal(isProgram({ url: url("[eval1]") }, undefined), true);
  assert.equal(isProgram({}, join(path, "scenarios.ts")), undefined);
  assert.equal(isProgram({ url: "data:text/javascript," }, join(path, "scenarios.ts")), false);
});

test("runAsProgram() rejects values other than import.meta", async () => {
  const loose = runAsProgram as (...args: readonly unknown[]) => Promise<void>; // no types there
  for (const meta of [undefined, null, "file:///scenarios.ts", { nodes: {} }, { url: 7 }])
    await assert.rejects(loose(meta, {}, []), { code: "usage" });
});
